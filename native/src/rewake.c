/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * Wakes up waits of MPI_THREAD_MULTIPLE that have missed a failure.
 *
 * A wait of Open MPI 5 tests its requests for failures, and is put on a list of waits only then. When a process fails or
 * a communicator is revoked, the thread that handles it wakes up the waits on the list. A wait of another thread that is
 * between the two has tested too early and is not on the list yet: it sleeps for good, and the recovery with it. Our
 * patch mpi/0006 counts the wake-ups, and such a wait tests again. On an Open MPI without the patch the list is woken up again
 * here, some milliseconds after the failure: each wait tests its requests once more, and goes on where they are well.
 *
 * That is done in Open MPI's progress engine, as some thread runs it while others wait. A wake-up of waits whose requests
 * have not failed is allowed at any time, but not free of risk (a request that completes at this moment is counted for
 * the next round of its wait), so that there is none without a failure.
 */
#define _GNU_SOURCE
#include "kintsugi.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

typedef int (*register_call)(int (*callback)(void));
typedef void (*wake_call)(int status);

/* Any error does: the waits test their requests themselves. */
#define SOME_ERROR 1

/* The time between two looks at the clock, in turns of the engine. */
#define TURNS 64

#define MILLI 1000000L
#define FIRST_NANOS (10 * MILLI)
/* A wait that takes longer than this to get from its test to the list does so in vain. */
#define LAST_NANOS (5000 * MILLI)

static wake_call wake;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int failures; /* that were seen here */
/* With the lock held: */
static int handled;         /* how many of these, and of deaths that were reported */
static int64_t pause_nanos; /* the time between the last wake-up and the next one; 0: there is none to come */
static int64_t next;        /* when that is */

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * (1000 * MILLI) + time.tv_nsec;
}

/* Whether it is time for a wake-up. With the lock held. */
static int is_due(void) {
    int64_t time = now();
    int seen = atomic_load(&failures) + kintsugi_failures_reported();
    if (seen != handled) {
        handled = seen;
        next = pause_nanos != 0 && next < time + FIRST_NANOS ? next : time + FIRST_NANOS;
        pause_nanos = FIRST_NANOS;
    }
    if (pause_nanos == 0 || time < next) {
        return 0;
    }
    pause_nanos = pause_nanos * 2 > LAST_NANOS ? 0 : pause_nanos * 2;
    next = time + pause_nanos;
    return 1;
}

/* Called by the progress engine, in any thread that is inside MPI. */
static int turn(void) {
    static _Thread_local int turns;
    if (++turns % TURNS != 0 || pthread_mutex_trylock(&lock) != 0) {
        return 0;
    }
    int due = is_due();
    pthread_mutex_unlock(&lock);
    if (due) {
        wake(SOME_ERROR);
    }
    return 0;
}

void kintsugi_wake_waits_again(void) {
    atomic_fetch_add(&failures, 1);
}

int kintsugi_watch_waits(void) {
    register_call add;
    *(void **)&add = dlsym(RTLD_DEFAULT, "opal_progress_register");
    *(void **)&wake = dlsym(RTLD_DEFAULT, "opal_threads_base_wait_sync_global_wakeup_mt");
    if (add == NULL || wake == NULL || dlsym(RTLD_DEFAULT, "opal_threads_base_wait_sync_wakeups") != NULL) {
        return ENOSYS;
    }
    handled = kintsugi_failures_reported();
    return add(turn) == 0 ? 0 : ENOMEM;
}
