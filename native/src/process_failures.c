/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * Wakes a spare by the launcher's notice of a failure: a spare sleeps until it is needed, and then all others wait for it.
 *
 * MPI has no call that blocks without burning a core. But the notice comes by PMIx, which has a thread of its own for
 * it, and which calls one handler after the other: this one, besides Open MPI's. It only counts, and wakes the waiting
 * thread. For a spare the notice is a hint, as it also polls now and then. The limit of the first repair depends on it
 * (RepairLimit).
 *
 * Open MPI's handler registers in front of all others that are there, and ends the chain of handlers. Here a thread
 * registers while MPI_Init is running (InitWatch), on a busy machine before Open MPI does so. So this handler requests
 * the place in front of all others, which only one may have.
 *
 * PMIx is looked up at run time, as this library is not linked against MPI (library.c says why); where the Open MPI
 * that everything is compiled against has no pmix.h, there is nothing to look up.
 */
#define _GNU_SOURCE
#include "kintsugi.h"

#include <errno.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static _Atomic int news; /* whether a process has failed since a waiting thread has looked */
static _Atomic int reported;

#ifdef KINTSUGI_HAVE_PMIX

#include "new_processes.h"

#include <dlfcn.h>
#include <pmix.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/*
 * The processes whose failure was reported, the last one first. Two threads add to them: PMIx's
 * thread, and the thread that passes a failure from the launcher to PMIx, on which PMIx calls the
 * handlers.
 */
struct failed_process {
    pmix_proc_t process;
    int number;
    struct failed_process *before;
};
static struct failed_process *_Atomic all_failed;
static pthread_mutex_t adding = PTHREAD_MUTEX_INITIALIZER;

static void count(const pmix_proc_t *process) {
    pthread_mutex_lock(&adding);
    for (struct failed_process *one = all_failed; one != NULL; one = one->before) {
        if (one->process.rank == process->rank && strcmp(one->process.nspace, process->nspace) == 0) {
            pthread_mutex_unlock(&adding);
            return;
        }
    }
    struct failed_process *one = malloc(sizeof *one);
    if (one != NULL) {
        *one = (struct failed_process){*process, atomic_load(&reported), atomic_load(&all_failed)};
        atomic_store(&all_failed, one);
    }
    atomic_fetch_add(&reported, 1);
    pthread_mutex_unlock(&adding);
}

/* Handles a report of a failure. It may come from the launcher, or through Open MPI from any
 * process that has detected the failure. */
static void on_failure(size_t id, pmix_status_t status, const pmix_proc_t *source, pmix_info_t info[], size_t ninfo,
                       pmix_info_t results[], size_t nresults, pmix_event_notification_cbfunc_fn_t done,
                       void *done_data) {
    (void)id, (void)status, (void)results, (void)nresults;
    const pmix_proc_t *failed = source;
    for (size_t i = 0; i < ninfo; i++) {
        if (strcmp(info[i].key, PMIX_EVENT_AFFECTED_PROC) == 0) {
            failed = info[i].value.data.proc;
        }
    }
    count(failed);
    atomic_store(&news, 1);
    syscall(SYS_futex, &news, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    if (done != NULL) {
        done(PMIX_EVENT_NO_ACTION_TAKEN, NULL, 0, NULL, NULL, done_data); /* goes on with the next handler */
    }
}

typedef pmix_status_t register_handler_fn(pmix_status_t *, size_t, pmix_info_t *, size_t, pmix_notification_fn_t,
                                          pmix_hdlr_reg_cbfunc_t, void *);
static register_handler_fn *register_handler;

/* PMIx reads these after the call has returned. */
static pmix_status_t failures[] = {PMIX_ERR_PROC_TERM_WO_SYNC, PMIX_ERR_PROC_ABORTED_BY_SIG, PMIX_ERR_PROC_ABORTED};
static pmix_info_t before_all_others = {.key = PMIX_EVENT_HDLR_FIRST,
                                        .value = {.type = PMIX_BOOL, .data = {.flag = true}}};

static void on_registered(pmix_status_t status, size_t id, void *place);

/* Registers at a place in the order of handlers; NULL: before those that are registered already. */
static pmix_status_t register_at(pmix_info_t *place) {
    /* With a callback the call does not wait for the launcher's answer. The answer never comes
     * if the launcher has ended. */
    return register_handler(failures, sizeof(failures) / sizeof(failures[0]), place, place != NULL, on_failure,
                            on_registered, place);
}

static void on_registered(pmix_status_t status, size_t id, void *place) {
    (void)id;
    if (status != PMIX_SUCCESS && place != NULL) {
        register_at(NULL); /* something else in this process (a tool) has the first place */
    }
}

static int watch(void) {
    int (*is_initialised)(void);
    *(void **)&is_initialised = dlsym(RTLD_DEFAULT, "PMIx_Initialized");
    *(void **)&register_handler = dlsym(RTLD_DEFAULT, "PMIx_Register_event_handler");
    if (is_initialised == NULL || register_handler == NULL) {
        return ENOSYS;
    }
    if (!is_initialised()) {
        return EAGAIN;
    }
    return register_at(&before_all_others) < 0 ? EIO : 0;
}

int kintsugi_watch_failures(void) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static int watching;
    pthread_mutex_lock(&lock);
    int rc = watching ? 0 : watch();
    watching = rc == 0;
    pthread_mutex_unlock(&lock);
    return rc;
}

int kintsugi_reported_failure(int number, char *job, int64_t bytes) {
    for (struct failed_process *one = atomic_load(&all_failed); one != NULL && bytes > 0; one = one->before) {
        if (one->number == number) {
            strncpy(job, one->process.nspace, (size_t)bytes - 1);
            job[bytes - 1] = '\0';
            return (int)one->process.rank;
        }
    }
    return -1;
}

/*
 * The launcher reports a failure only to processes of the failed process's own job. jmpirun reports
 * failures of other jobs' processes on its connections to the ranks (runtime.internal.protocol.FromLauncher). They are turned into events
 * here, as if the launcher had reported them.
 */

typedef pmix_status_t notify_fn(pmix_status_t, const pmix_proc_t *, pmix_data_range_t, const pmix_info_t[], size_t,
                                pmix_op_cbfunc_t, void *);

/* Read by PMIx after its call has returned. */
struct notice {
    pmix_proc_t failed;
    pmix_info_t infos[2];
};

static void on_reported(pmix_status_t status, void *notice) {
    (void)status;
    free(notice);
}

int kintsugi_report_failure(const char *job, int rank) {
    notify_fn *notify;
    *(void **)&notify = dlsym(RTLD_DEFAULT, "PMIx_Notify_event");
    if (notify == NULL) {
        return ENOSYS;
    }
    struct notice *notice = calloc(1, sizeof *notice);
    if (notice == NULL) {
        return ENOMEM;
    }
    strncpy(notice->failed.nspace, job, sizeof notice->failed.nspace - 1);
    notice->failed.rank = (pmix_rank_t)rank;
    new_processes_end_gets_of(&notice->failed);
    strncpy(notice->infos[0].key, PMIX_EVENT_AFFECTED_PROC, sizeof notice->infos[0].key - 1);
    notice->infos[0].value.type = PMIX_PROC;
    notice->infos[0].value.data.proc = &notice->failed;
    /* Only for present handlers: PMIx would keep the event 2 minutes for later ones. */
    strncpy(notice->infos[1].key, PMIX_EVENT_DO_NOT_CACHE, sizeof notice->infos[1].key - 1);
    notice->infos[1].value.type = PMIX_BOOL;
    notice->infos[1].value.data.flag = true;
    pmix_status_t status = notify(PMIX_ERR_PROC_ABORTED_BY_SIG, &notice->failed, PMIX_RANGE_PROC_LOCAL, notice->infos,
                                  2, on_reported, notice);
    if (status != PMIX_SUCCESS) {
        free(notice);
        return status == PMIX_OPERATION_SUCCEEDED ? 0 : EIO;
    }
    return 0;
}

#else

int kintsugi_watch_failures(void) {
    return ENOSYS;
}

int kintsugi_report_failure(const char *job, int rank) {
    (void)job, (void)rank;
    return ENOSYS;
}

int kintsugi_reported_failure(int number, char *job, int64_t bytes) {
    (void)number, (void)job, (void)bytes;
    return -1;
}

#endif

int kintsugi_failures_reported(void) {
    return atomic_load(&reported);
}

int kintsugi_await_failure(int64_t micros) {
    /* The kernel measures this with a clock that cannot be set. */
    struct timespec limit = {.tv_sec = (time_t)(micros / 1000000), .tv_nsec = (long)(micros % 1000000 * 1000)};
    if (atomic_load(&news) == 0) {
        syscall(SYS_futex, &news, FUTEX_WAIT_PRIVATE, 0, &limit, NULL, 0);
    }
    /* Several failures are one piece of news. */
    return atomic_exchange(&news, 0) != 0;
}
