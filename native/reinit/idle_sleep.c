/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * Where ranks share cores, MPI waits by sched_yield, and Linux's scheduler is fair: a rank that has just worked (a
 * replacement through MPI_Init, a JVM through code that it runs for the first time) does not run again before the waiting
 * ones have used their share, in which they only yield. Some recoveries took 20 ms longer by that.
 * sched_yield keeps a process runnable; sleeping gives the core away. So on the way into an epoch every fourth call of
 * the progress function here sleeps for a moment.
 *
 * This is done only where an idle rank yields (mpi_yield_when_idle, which the launchers set where ranks share cores), and
 * the sleep is short, because a message that arrives meanwhile waits.
 */
#define _GNU_SOURCE
#include "idle_sleep.h"

#include "board.h"

#include <dlfcn.h>
#include <stddef.h>

/* Open MPI calls this every 8 turns; a turn takes about a microsecond. */
#define CALLS_BETWEEN_SLEEPS 4
/* The shortest possible: with the kernel's slack for timers (50 microseconds) it becomes three times as long. */
#define SLEEP_NANOS 20000
/* How long sleeps go on in the body, into which the last ranks are still on their way: messages wait for sleeps, so not
 * longer. */
#define BODY_MILLIS 10

typedef int (*progress_fn)(void);

static enum { NOT_ASKED, NEVER, WANTED } wanted = NOT_ASKED;
static bool sleeping;
static bool soon_over;
static struct timespec end;
static int calls;

/* One of MPI's progress functions; it returns how much progress it has made. */
static int sleep_briefly(void) {
    if (!sleeping || ++calls < CALLS_BETWEEN_SLEEPS) {
        return 0;
    }
    calls = 0;
    if (soon_over && board_is_over(&end)) {
        sleeping = false;
        return 0;
    }
    struct timespec moment = {.tv_nsec = SLEEP_NANOS};
    nanosleep(&moment, NULL);
    return 0;
}

void idle_sleep_begin(_Bool (*set_yield)(_Bool)) {
    if (wanted == NOT_ASKED) {
        _Bool yields = set_yield(0);
        set_yield(yields);
        int (*add)(progress_fn);
        *(void **)&add = dlsym(RTLD_DEFAULT, "opal_progress_register_lp");
        wanted = yields && add != NULL && add(sleep_briefly) == 0 ? WANTED : NEVER;
    }
    soon_over = false;
    sleeping = wanted == WANTED;
}

void idle_sleep_soon_over(void) {
    end = board_in_millis(BODY_MILLIS);
    soon_over = true;
}
