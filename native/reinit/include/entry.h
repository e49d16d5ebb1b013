/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * The steps of a call that a rollback may leave. The two guards use them: that of each call of MPI (guard.h, C++), and that of a
 * library which calls MPI (src/leave_call.c). They are for the thread that calls MPI; rollback.c has the rules.
 */
#ifndef KINTSUGI_ENTRY_H
#define KINTSUGI_ENTRY_H

#include "rollback.h"

/* ULFM's MPI_ERR_PROC_FAILED, with its number in Open MPI 5: the Java layer has one code for "a process has failed". */
#define KINTSUGI_ERR_PROC_FAILED 75

/* Ours: a call on a thread other than that of MPI_Init. */
#define KINTSUGI_ERR_THREAD 90

/* The reason why no call may begin, as a code of MPI; 0: it may. */
static inline int kintsugi_entry_refused(void) {
    if (__builtin_expect(!pthread_equal(pthread_self(), kintsugi_guard.thread), 0)) {
        return KINTSUGI_ERR_THREAD;
    }
    return kintsugi_guard.pending ? KINTSUGI_ERR_PROC_FAILED : 0;
}

/* From here on the signal's handler may jump. The signal may have come before: the caller checks `pending` once
 * more. */
static inline void kintsugi_entry_open(void) {
    kintsugi_guard.inside = 1;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* From here on the handler must not jump. */
static inline void kintsugi_entry_close(void) {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    kintsugi_guard.inside = 0;
}

#endif
