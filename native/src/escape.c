/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * The way out of a library when a process has died: escape.h describes it.
 *
 * This library is not linked against libmpi (library.c): the few functions that are needed are looked up.
 */
#define _GNU_SOURCE
#include "escape.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t armed;
static void (*revoke_all)(MPI_Comm);

int kintsugi_escape_is_armed(void (*revoke)(MPI_Comm)) {
    return armed && revoke_all == revoke;
}

#ifdef KINTSUGI_REINIT

#include "entry.h"

sigjmp_buf *kintsugi_escape_point(void) {
    return &kintsugi_guard.jump;
}

int kintsugi_escape_refused(void) {
    return kintsugi_entry_refused();
}

void kintsugi_escape_arm(void (*revoke)(MPI_Comm)) {
    revoke_all = revoke;
    armed = 1;
    kintsugi_entry_open();
}

void kintsugi_escape_disarm(void) {
    kintsugi_entry_close();
    armed = 0;
}

void kintsugi_escape(int why) {
    if (armed && pthread_equal(pthread_self(), kintsugi_guard.thread)) {
        kintsugi_escape_disarm();
        siglongjmp(kintsugi_guard.jump, why);
    }
}

int kintsugi_escape_landed(int why) {
    kintsugi_escape_disarm();
    if (why == KINTSUGI_LEFT_BY_FAILURE) {
        kintsugi_guard_landed();
    }
    return KINTSUGI_ERR_PROC_FAILED;
}

int kintsugi_escape_watch(MPI_Comm comm) {
    (void)comm;
    return MPI_SUCCESS;
}

#else

static sigjmp_buf point;
static pthread_t thread; /* that is in the call */
static int failure;      /* the code that has ended the call */
static MPI_Errhandler handler;
static int (*set_handler)(MPI_Comm, MPI_Errhandler);

sigjmp_buf *kintsugi_escape_point(void) {
    return &point;
}

int kintsugi_escape_refused(void) {
    return 0;
}

void kintsugi_escape_arm(void (*revoke)(MPI_Comm)) {
    revoke_all = revoke;
    thread = pthread_self();
    failure = MPI_ERR_OTHER;
    armed = 1;
}

void kintsugi_escape_disarm(void) {
    armed = 0;
}

static void leave(int why, MPI_Comm failed) {
    if (armed && pthread_equal(pthread_self(), thread)) {
        kintsugi_escape_disarm(); /* errors have no further consequence from here on */
        revoke_all(failed);
        siglongjmp(point, why);
    }
}

void kintsugi_escape(int why) {
    leave(why, NULL);
}

static void on_error(MPI_Comm *comm, int *code, ...) {
    failure = *code;
    leave(KINTSUGI_LEFT_BY_FAILURE, *comm);
}

int kintsugi_escape_landed(int why) {
    (void)why;
    return failure;
}

int kintsugi_escape_watch(MPI_Comm comm) {
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
