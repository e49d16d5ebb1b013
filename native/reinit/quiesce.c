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
 *     behind an entry that nobody will ever reach. The node's messages to this process are lost from then on.
 *
 * And it is not enough that each process reads all that it finds: reading a fragment sends it back to its owner,
 * through the owner's queue, and may call forth an answer. So the survivors of a node read in turns:
 *
 *     ROUNDS times: read a while, say so on the board, go on reading until all others have said so.
 *
 * All messages were written before the first round began (everybody has stopped sending at the fence), answers to them
 * in the first round, answers to those in the second, ...; one round is to spare. After the last one nobody writes.
 *
 * Each seat of the board (board.h) has a number:
 *
 *     OUTSIDER      it has not been at its restart point yet, and is waited for by nobody
 *     MEMBER + n    it takes part, and has been through n rounds in its life on this board
 *
 * A member's n is that of all members whenever they are not in quiesce(): all go through the same rounds, and whoever
 * joins takes over the number of the others. He can: members are in quiesce() before the runtime's second fence only,
 * and he joins behind it. A dead member becomes an outsider when its successor enrols, before the runtime's first
 * fence. Only one that dies in here is waited for in vain: hence the board's patience. (The runtime is then most likely
 * lost, too.)
 */
#include "quiesce.h"

#include "board.h"

#define ROUNDS 4
#define TURNS 100

enum { OUTSIDER = 1, MEMBER = 2 };

void quiesce_enrol(void) {
    if (board != NULL) {
        atomic_store(&board_seat->rounds, OUTSIDER);
    }
}

void quiesce_join(void) {
    uint64_t rounds = MEMBER;
    for (int rank = 0; board != NULL && rank < board_size; rank++) {
        uint64_t other = atomic_load(&board->seats[rank].rounds);
        rounds = other > rounds ? other : rounds;
    }
    if (board != NULL) {
        atomic_store(&board_seat->rounds, rounds);
    }
}

static int all_are_through(uint64_t round) {
    for (int rank = 0; rank < board_size; rank++) {
        uint64_t other = atomic_load(&board->seats[rank].rounds);
        if (other >= MEMBER && other < round) {
            return 0;
        }
    }
    return 1;
}

void quiesce(void (*progress)(void), _Bool (*set_yield)(_Bool)) {
    struct timespec until = board_in_millis(BOARD_PATIENCE_MILLIS);
    for (int round = 0; round < ROUNDS; round++) {
        /* Short, and somebody may be waiting for it: not to be handed around the processes that share a core. */
        _Bool yields = set_yield(0);
        for (int turn = 0; turn < TURNS; turn++) {
            progress();
        }
        set_yield(yields);
        if (board != NULL) {
            uint64_t mine = atomic_fetch_add(&board_seat->rounds, 1) + 1;
            while (!all_are_through(mine) && !board_is_over(&until)) {
                progress();
            }
        }
    }
}
