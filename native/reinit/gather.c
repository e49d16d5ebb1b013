/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * On the way into an epoch the survivors are some milliseconds ahead of the replacements, and of each other, and the next
 * step is a collective. There they would wait inside MPI at full speed: where processes share cores, they would take the
 * cores of the late ones. So they sleep before it.
 *
 * A rank writes the stage that it has reached on its seat, from 0 upwards. A rank that sees that it was the last one wakes
 * the others. Only time depends on this: the ranks that are waited for here are those that the collective waits for, and
 * if a failure comes meanwhile, the signal ends the waiting.
 *
 * A seat goes back to 0 when its rank rolls back. No rank then waits long for its stage in the old
 * epoch: the failure makes that rank roll back as well. And no rank waits for it in the new epoch
 * yet: a fence of the runtime comes first.
 */
#define _GNU_SOURCE
#include "gather.h"

#include "board.h"

#include <limits.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The longest delay before a roll-back is seen that is requested just before the sleep. */
#define SLEEP_NANOS 1000000

void gather_begin(void) {
    if (board != NULL) {
        atomic_store(&board_seat->stage, 0);
    }
}

static bool all_have_come_to(uint32_t stage) {
    for (int rank = 0; rank < board_size; rank++) {
        struct seat *seat = &board->seats[rank];
        if (atomic_load(&seat->rounds) != 0 && atomic_load(&seat->stage) < stage) {
            return false;
        }
    }
    return true;
}

void gather(int stage, const volatile sig_atomic_t *pending) {
    if (board == NULL) {
        return;
    }
    atomic_store(&board_seat->stage, (uint32_t)stage);
    if (all_have_come_to((uint32_t)stage)) {
        atomic_fetch_add(&board->gatherings, 1);
        syscall(SYS_futex, &board->gatherings, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
        return;
    }
    struct timespec until = board_in_millis(BOARD_PATIENCE_MILLIS);
    while (!*pending && !board_is_over(&until)) {
        uint32_t before = atomic_load(&board->gatherings);
        if (all_have_come_to((uint32_t)stage)) {
            return;
        }
        /* Not for long: a signal may come between the look at `pending` and the sleep. */
        struct timespec moment = {.tv_nsec = SLEEP_NANOS};
        syscall(SYS_futex, &board->gatherings, FUTEX_WAIT, before, &moment, NULL, 0);
    }
}
