/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * Lets a process that is done wait for the slowest one without taking a core, which that one may need.
 *
 * MPI waits by running its progress engine, at full speed or with sched_yield between two turns, which also uses all of
 * an idle core. So while this process rests, a progress function sleeps. Its sleep grows with the time waited so far, so
 * that it delays the others little. Messages that arrive meanwhile wait for the end of the sleep, as does the
 * Reinit++ fork's signal, which is blocked in progress functions; both wait LONGEST_NANOS at most.
 */
#define _GNU_SOURCE
#include "kintsugi.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

typedef int (*progress_function)(void);

#define NANOS 1000000000L
/* A shorter sleep would not free the processor: the kernel's slack for timers alone is 50
 * microseconds. */
#define SHORTEST_NANOS 20000
/* The longest delay of a message at the end of a long wait; 1000 sleeps a second take a hundredth of a core. */
#define LONGEST_NANOS 1000000
/* A sleep is this part of the wait so far: a wait becomes longer by an eighth at the most. */
#define PART 8

static atomic_int resting;
static int64_t since;

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * NANOS + time.tv_nsec;
}

/* Returns how much progress it has made. */
static int sleep_briefly(void) {
    if (atomic_load_explicit(&resting, memory_order_relaxed) == 0) {
        return 0;
    }
    int64_t nanos = (now() - since) / PART;
    if (nanos >= SHORTEST_NANOS) {
        struct timespec moment = {.tv_nsec = nanos < LONGEST_NANOS ? nanos : LONGEST_NANOS};
        nanosleep(&moment, NULL);
    }
    return 0;
}

int kintsugi_idle(void) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static int added;
    pthread_mutex_lock(&lock);
    if (!added) {
        /* With low priority: called in every eighth turn. */
        int (*add)(progress_function);
        *(void **)&add = dlsym(RTLD_DEFAULT, "opal_progress_register_lp");
        added = add != NULL && add(sleep_briefly) == 0;
    }
    pthread_mutex_unlock(&lock);
    since = now();
    atomic_store(&resting, added);
    return added ? 0 : ENOSYS;
}

void kintsugi_idle_is_over(void) {
    atomic_store(&resting, 0);
}
