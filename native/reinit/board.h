/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * The board of a node: shared memory in which each rank of the node shows the others, without MPI, how far it is. It is a file
 * that all of them have mapped, in the daemon's session folder of the job on this node; the daemon removes it. It has a seat
 * for each rank of the job; those of ranks on other nodes stay zero.
 */
#ifndef KINTSUGI_BOARD_H
#define KINTSUGI_BOARD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

struct seat {
    _Atomic uint64_t rounds; /* quiesce.c; 0: no process sits here */
    _Atomic uint64_t busy;   /* quiesce.c */
    _Atomic pid_t process;   /* quiesce.c */
    _Atomic uint32_t stage;  /* gather.c */
};

struct board {
    _Atomic uint32_t gatherings; /* gather.c; a futex */
    struct seat seats[];
};

/* The board; NULL without PMIX_SERVER_TMPDIR, when nothing is shared. */
extern struct board *board;
extern int board_size;

/* The seat of this process. */
extern struct seat *board_seat;

/* Opens the board; must be called before MPI_Init. */
void board_open(void);

/* The limit of waits for a process that may have died. All others need a few milliseconds, or
 * some hundred on a busy machine. */
#define BOARD_PATIENCE_MILLIS 2000

/* Returns the time at which `millis` milliseconds have passed. */
struct timespec board_in_millis(long millis);

/* Returns whether that time has passed. */
bool board_is_over(const struct timespec *until);

#endif
