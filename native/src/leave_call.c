/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * The way out of a library when a process has died: leave_call.h describes it.
 *
 * This library is not linked against libmpi (library.c): the few functions that are needed are looked up.
 */
#define _GNU_SOURCE
#include "leave_call.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t armed;
static void (*revoke_all)(MPI_Comm);

int kintsugi_leave_is_armed(void (*revoke)(MPI_Comm)) {
    return armed && revoke_all == revoke;
}

#ifdef KINTSUGI_REINIT

#include "entry.h"

sigjmp_buf *kintsugi_leave_point(void) {
    return &kintsugi_guard.jump;
}

int kintsugi_leave_entry_refused(void) {
    return kintsugi_entry_refused();
}

void kintsugi_leave_arm(void (*revoke)(MPI_Comm)) {
    revoke_all = revoke;
    armed = 1;
    kintsugi_entry_open();
}

void kintsugi_leave_disarm(void) {
    kintsugi_entry_close();
    armed = 0;
}

void kintsugi_leave_call(int why) {
    if (armed && pthread_equal(pthread_self(), kintsugi_guard.thread)) {
        kintsugi_leave_disarm();
        siglongjmp(kintsugi_guard.jump, why);
    }
}

int kintsugi_leave_landed(int why) {
    kintsugi_leave_disarm();
    if (why == KINTSUGI_LEFT_BY_FAILURE) {
        kintsugi_guard_landed();
    }
    return KINTSUGI_ERR_PROC_FAILED;
}

int kintsugi_leave_watch(MPI_Comm comm) {
    (void)comm;
    return MPI_SUCCESS;
}

#else

static sigjmp_buf point;
static pthread_t thread; /* that is in the call */
static int failure;      /* the code that has ended the call */
static MPI_Errhandler handler;
static int (*set_handler)(MPI_Comm, MPI_Errhandler);

sigjmp_buf *kintsugi_leave_point(void) {
    return &point;
}

int kintsugi_leave_entry_refused(void) {
    return 0;
}

void kintsugi_leave_arm(void (*revoke)(MPI_Comm)) {
    revoke_all = revoke;
    thread = pthread_self();
    failure = MPI_ERR_OTHER;
    armed = 1;
}

void kintsugi_leave_disarm(void) {
    armed = 0;
}

static void leave(int why, MPI_Comm failed) {
    if (armed && pthread_equal(pthread_self(), thread)) {
        kintsugi_leave_disarm(); /* errors have no further consequence from here on */
        revoke_all(failed);
        siglongjmp(point, why);
    }
}

void kintsugi_leave_call(int why) {
    leave(why, NULL);
}

static void on_error(MPI_Comm *comm, int *code, ...) {
    failure = *code;
    leave(KINTSUGI_LEFT_BY_FAILURE, *comm);
}

int kintsugi_leave_landed(int why) {
    (void)why;
    return failure;
}

int kintsugi_leave_watch(MPI_Comm comm) {
    if (handler == NULL) {
        int (*create)(MPI_Comm_errhandler_function *, MPI_Errhandler *);
        *(void **)&create = dlsym(RTLD_DEFAULT, "MPI_Comm_create_errhandler");
        *(void **)&set_handler = dlsym(RTLD_DEFAULT, "MPI_Comm_set_errhandler");
        if (create == NULL || set_handler == NULL) {
            return MPI_ERR_OTHER;
        }
        int code = create(on_error, &handler);
        if (code != MPI_SUCCESS) {
            return code;
        }
    }
    return set_handler(comm, handler);
}

#endif
