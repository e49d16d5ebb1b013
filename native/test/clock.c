/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * For tests: preloaded, it shows programs a wall clock that is KINTSUGI_CLOCK_SHIFT seconds off the kernel's. That is what a
 * program sees that has read the clock before somebody set it: with a shift forward, a time until which it asks the kernel to
 * wait is that far away; with a shift back, it has passed already.
 */
#define _GNU_SOURCE

#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *now) {
    int rc = (int)syscall(SYS_clock_gettime, clock, now);
    const char *shift = getenv("KINTSUGI_CLOCK_SHIFT");
    if (rc == 0 && clock == CLOCK_REALTIME && shift != NULL) {
        now->tv_sec += atol(shift);
    }
    return rc;
}
