/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * Empties the queues in a node's shared memory before the old world is destroyed.
 *
 * The ranks of a node write fragments into each other's queues in shared memory (the BTL vader). After a rollback the
 * fork frees its peers and sets them up anew. Unread fragments in a queue then do harm in two ways:
 *
 *   - Read later, a fragment is matched with receives of the new world, which numbers its messages from the beginning: a
 *     hang, or silently a wrong result.
 *   - The fork empties the queue by setting its head back, but leaves its tail: the next fragment
 *     is linked to an entry that no reader will ever reach. The node's messages to this process are
 *     lost from then on.
 *
 * It is not enough that each process reads all that it finds: reading a fragment returns it to its owner, through the
 * owner's queue, and may cause an answer. So the survivors of a node read in rounds:
 *
 *     at least ROUNDS times, and until no process has found anything in a round: read a while, mark that on the board, go
 *     on reading until all others have marked it.
 *
 * All messages were written before the first round began (all processes stop sending at the fence),
 * answers to them in the first round, answers to those in the second, and so on. A long message
 * that is under way between two survivors is hundreds of fragments, each caused by the end of an
 * earlier one, and takes as many rounds. A fragment that is still under way when the fork frees its
 * peers causes a crash, or goes to the next object at that address.
 *
 * After a round in which no process has found anything, none writes: in each round a process finds all that was written
 * before the round before ended everywhere. Fragments that it finds after its own mark count for the next round.
 *
 * Each seat of the board (board.h) has a number:
 *
 *     OUTSIDER      it has not been at its restart point yet, and no process waits for it
 *     MEMBER + n    it takes part, and has been through n rounds in its life on this board
 *
 * and the number of the last round in which it has found something. All members have the same n
 * whenever they are not in quiesce(): leaving it adds MOST_ROUNDS to the n at entry, however many
 * rounds there were, and a process that joins takes over the number of the others. That is safe:
 * members are in quiesce() only before the runtime's second fence, and a process joins after it. A
 * dead member becomes an outsider when its successor enrols, before the runtime's first fence.
 *
 * The wait for a member that does not come has the board's limit: it may have died in here (the runtime is then most
 * likely lost, too), or its body has thrown and the job is about to end. But a member that is stopped (SIGSTOP) will go
 * on, and must not write into the others' queues in their new world: while it is stopped, the limit does not count.
 * Java's limit of a recovery (RepairLimit) ends the wait if it never goes on.
 *
 * Open MPI does not report that a progress turn has found nothing; but it then yields the processor, if so configured, by
 * a call that is replaced here.
 */
#include "quiesce.h"

#include "board.h"
#include "interpose.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ROUNDS 4
#define MOST_ROUNDS (1 << 20)
#define TURNS 100

enum { OUTSIDER = 1, MEMBER = 2 };

void quiesce_enrol(void) {
    if (board != NULL) {
        atomic_store(&board_seat->rounds, OUTSIDER);
        atomic_store(&board_seat->process, getpid());
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

static bool is_stopped(pid_t process) {
    char path[32];
    char text[512] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return false;
    }
    ssize_t bytes = read(file, text, sizeof text - 1);
    close(file);
    char *name_end = bytes > 0 ? strrchr(text, ')') : NULL; /* then a blank, and the state */
    return name_end != NULL && name_end[1] == ' ' && name_end[2] == 'T';
}

/* Whether a member has not reached the round, within the limit. The limit does not pass while such
 * a member is stopped. */
static bool is_anybody_awaited(uint64_t round, struct timespec *until) {
    bool is_behind = false;
    bool is_over = board_is_over(until);
    for (int rank = 0; rank < board_size; rank++) {
        const struct seat *seat = &board->seats[rank];
        uint64_t other = atomic_load(&seat->rounds);
        if (other >= MEMBER && other < round) {
            is_behind = true;
            if (is_over && is_stopped(atomic_load(&seat->process))) {
                *until = board_in_millis(BOARD_PATIENCE_MILLIS);
                is_over = false;
            }
        }
    }
    return is_behind && !is_over;
}

static bool sees_idle_turns;
static bool yields = true;
static bool was_idle;

static int on_idle_turn(void) {
    was_idle = true;
    return yields ? sched_yield() : 0;
}

int quiesce_adapt(void) {
    static const struct replacement idle = {.symbol = "sched_yield", .address = (void *)on_idle_turn};
    int rc = interpose_in("libopen-pal.so.40", &idle, 1);
    sees_idle_turns = rc == 0;
    return rc;
}

static bool finds(void (*progress)(void)) {
    was_idle = false;
    progress();
    return sees_idle_turns && !was_idle;
}

static bool somebody_was_busy(uint64_t round) {
    for (int rank = 0; rank < board_size; rank++) {
        if (atomic_load(&board->seats[rank].rounds) >= MEMBER && atomic_load(&board->seats[rank].busy) >= round) {
            return true;
        }
    }
    return false;
}

/* Reads in rounds until the limit, or longer if a member is stopped then. */
static void read_empty(void (*progress)(void), bool yield, struct timespec *until) {
    for (int done = 1; done < MOST_ROUNDS; done++) {
        bool busy = false;
        /* The wait is short, and other processes may wait for this one: keep the core. */
        yields = false;
        for (int turn = 0; turn < TURNS; turn++) {
            busy |= finds(progress);
        }
        yields = yield;
        if (board != NULL) {
            uint64_t mine = atomic_load(&board_seat->rounds) + 1;
            if (busy) {
                atomic_store(&board_seat->busy, mine);
            }
            atomic_store(&board_seat->rounds, mine);
            while (is_anybody_awaited(mine, until)) {
                if (finds(progress)) {
                    atomic_store(&board_seat->busy, mine + 1);
                }
            }
            busy = somebody_was_busy(mine);
        }
        if (done >= ROUNDS && (!busy || board_is_over(until))) {
            break;
        }
    }
}

void quiesce(void (*progress)(void), _Bool (*set_yield)(_Bool)) {
    struct timespec until = board_in_millis(BOARD_PATIENCE_MILLIS);
    uint64_t before = board == NULL ? 0 : atomic_load(&board_seat->rounds);
    _Bool yield = set_yield(sees_idle_turns);
    read_empty(progress, yield, &until);
    yields = true;
    set_yield(yield);
    if (board != NULL) {
        atomic_store(&board_seat->rounds, before + MOST_ROUNDS);
    }
}
