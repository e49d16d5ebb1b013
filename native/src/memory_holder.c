/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * The memory holder: with it the launcher detects the end of a process before the process's memory
 * is freed.
 *
 * The kernel signals a process's end to its parent when all its resources are freed, and it frees memory first: 3 ms for
 * a small JVM, 40 ms for each GiB. The launcher, and all processes in the recovery, would wait for that. So a
 * second process shares this one's memory (and nothing else) and sleeps until this one has ended. Then it ends, too,
 * and the kernel frees the memory with its last user, while the recovery is under way.
 *
 * Invariants:
 *  - It holds no descriptor but the one by which it sees the end of this process: it keeps open no output whose end others
 *    wait for, and no lock outlives its owner.
 *  - It runs in memory that is not its own, on the thread-local variables of the thread that made it: it only makes
 *    system calls that cannot fail (so that errno is not touched), all checked beforehand, and not through
 *    functions of the C library that may be cancelled: these write to the thread's descriptor.
 *  - It takes no signals (but SIGKILL, which costs no more than its purpose), is in a session of its own, and ends when
 *    this process ends, in whichever way, or when it is dismissed.
 *
 * It is seen in lists of processes, under the name kintsugi-memory, with the command line and the memory of its JVM.
 */
#define _GNU_SOURCE
#include "kintsugi.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define STACK_BYTES (16 * 1024)
/* A tenth of an ordinary process's weight. */
#define NICENESS 10

/* Memory is freed after this time: during the recovery the other processes need the processors
 * more, and the replacement fills memory slowly. */
#define RECOVERY_NANOS 50000000

static char stack[STACK_BYTES] __attribute__((aligned(16)));
static pid_t memory_holder;
static int watched; /* a descriptor of this process */
static bool may_be_nicer;

static int sleep_until_the_end(void *unused) {
    (void)unused;
    if (watched > 0) {
        syscall(SYS_close_range, 0, (unsigned)watched - 1, 0);
    }
    syscall(SYS_close_range, (unsigned)watched + 1, ~0U, 0);
    syscall(SYS_setsid);
    prctl(PR_SET_NAME, "kintsugi-memory");
    if (may_be_nicer) {
        /* The recovery has priority. Any process may lower its own priority. */
        setpriority(PRIO_PROCESS, 0, NICENESS);
    }
    struct pollfd end = {.fd = watched, .events = POLLIN};
    while (syscall(SYS_ppoll, &end, 1, NULL, NULL, 0) != 1) {
        /* Again. */
    }
    struct timespec recovery = {.tv_nsec = RECOVERY_NANOS};
    syscall(SYS_nanosleep, &recovery, NULL);
    return 0;
}

int kintsugi_start_memory_holder(void) {
    if (memory_holder > 0) {
        return 0;
    }
    if (syscall(SYS_close_range, ~0U, ~0U, 0) != 0) {
        return errno; /* Linux before 5.9 */
    }
    watched = (int)syscall(SYS_pidfd_open, getpid(), 0);
    if (watched < 0) {
        return errno;
    }
    /* A process cannot raise its priority. The failed call would write errno, which belongs to a
     * thread of this process. */
    errno = 0;
    may_be_nicer = getpriority(PRIO_PROCESS, 0) <= NICENESS && errno == 0;
    sigset_t all;
    sigset_t usual;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &usual);
    memory_holder = clone(sleep_until_the_end, stack + STACK_BYTES, CLONE_VM, NULL);
    int rc = memory_holder < 0 ? errno : 0;
    pthread_sigmask(SIG_SETMASK, &usual, NULL);
    close(watched);
    return rc;
}

void kintsugi_end_memory_holder(void) {
    if (memory_holder > 0) {
        kill(memory_holder, SIGKILL);
        while (waitpid(memory_holder, NULL, __WCLONE) < 0 && errno == EINTR) {
            /* Again. */
        }
        memory_holder = 0;
    }
}
