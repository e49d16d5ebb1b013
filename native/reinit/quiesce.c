/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * Silence on a node before the old world is destroyed.
 *
 * The ranks of a node write fragments into each other's queues in shared memory (the BTL vader). When the fork has
 * rolled back it throws its peers away and takes them up anew. What is unread in a queue then does harm in two ways:
 *
 *   - Read later, it is matched with receives of the new world, which numbers its messages from the beginning: a hang,
 *     or silently a wrong result.
 *   - The fork empties the queue by setting its head back, but leaves its tail: whatever is written next is linked
 * behind an entry that nobody will ever reach. The node's messages to this process are lost from then on.
 *
 * And it is not enough that each process reads all that it finds: reading a fragment sends it back to its owner,
 * through the owner's queue, and may call forth an answer. So the survivors of a node read in turns:
 *
 *     ROUNDS times: read a while, say so on the board, go on reading until all others have said so.
 *
 * All messages were written before the first round began (everybody has stopped sending at the fence), answers to them
 * in the first round, answers to those in the second, ...; one round is to spare. After the last one nobody writes.
 *
 * The board is a file in the daemon's session folder on this node, which the daemon removes: for each rank of the job a
 * number, 0 for ranks of other nodes.
 *
 *     OUTSIDER      it has not been at its restart point yet, and is waited for by nobody
 *     MEMBER + n    it takes part, and has been through n rounds in its life on this board
 *
 * A member's n is that of all members whenever they are not in quiesce(): all go through the same rounds, and whoever
 * joins takes over the number of the others. He can: members are in quiesce() before the runtime's second fence only,
 * and he joins behind it. A dead member becomes an outsider when its successor enrols, before the runtime's first
 * fence. Only one that dies in here is waited for in vain: hence PATIENCE. (The runtime is then most likely lost, too.)
 */
#define _GNU_SOURCE
#include "quiesce.h"

#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 4
#define TURNS 100
#define PATIENCE_SECONDS 2

enum { OUTSIDER = 1, MEMBER = 2 };

static _Atomic uint64_t *board;
static int me;
static int size;

static int number(const char *variable) {
    const char *value = getenv(variable);
    return value == NULL ? -1 : atoi(value);
}

void quiesce_enrol(void) {
    const char *folder = getenv("PMIX_SERVER_TMPDIR");
    me = number("OMPI_COMM_WORLD_RANK");
    size = number("OMPI_COMM_WORLD_SIZE");
    if (folder == NULL || me < 0 || size <= me) {
        return;
    }
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/kintsugi-board", folder);
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) {
        return;
    }
    size_t bytes = (size_t)size * sizeof *board;
    void *memory = MAP_FAILED;
    if (ftruncate(file, (off_t)bytes) == 0) {
        memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    }
    close(file);
    if (memory != MAP_FAILED) {
        board = memory;
        atomic_store(&board[me], OUTSIDER);
    }
}

void quiesce_join(void) {
    uint64_t rounds = MEMBER;
    for (int rank = 0; board != NULL && rank < size; rank++) {
        uint64_t other = atomic_load(&board[rank]);
        rounds = other > rounds ? other : rounds;
    }
    if (board != NULL) {
        atomic_store(&board[me], rounds);
    }
}

static int all_are_through(uint64_t round) {
    for (int rank = 0; rank < size; rank++) {
        uint64_t other = atomic_load(&board[rank]);
        if (other >= MEMBER && other < round) {
            return 0;
        }
    }
    return 1;
}

static int is_over(const struct timespec *until) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec > until->tv_sec || (now.tv_sec == until->tv_sec && now.tv_nsec > until->tv_nsec);
}

void quiesce(void (*progress)(void), _Bool (*set_yield)(_Bool)) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += PATIENCE_SECONDS;
    for (int round = 0; round < ROUNDS; round++) {
        /* Short, and somebody may be waiting for it: not to be handed around the processes that share a core. */
        _Bool yields = set_yield(0);
        for (int turn = 0; turn < TURNS; turn++) {
            progress();
        }
        set_yield(yields);
        if (board != NULL) {
            uint64_t mine = atomic_fetch_add(&board[me], 1) + 1;
            while (!all_are_through(mine) && !is_over(&until)) {
                progress();
            }
        }
    }
}
