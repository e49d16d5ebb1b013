// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
// Recovery in place with warm spares in C: what the launcher and Open MPI can do without Java.
//
// The ranks loop over a barrier and a sum whose value is checked. After a failure: revoke, shrink,
// the lowest spares take the failed ranks' numbers, split, agree, go on. At the end rank 0 prints
// one line per recovery and "done".
//   spares SPARES MILLIS [KILL_RANK KILL_MILLIS]...    loop for MILLIS; the given ranks kill themselves after
//   KILL_MILLIS
// Environment: KINTSUGI_READY, a file that rank 0 makes when the loop runs: a node may be lost now.
#include <mpi.h>

#include <mpi-ext.h> // after mpi.h
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MAX_RECOVERIES = 64, DONE_TAG = 7, NO_RANK = -1 };

struct recovery {
    double detection; // last good barrier to the error, milliseconds
    double repair;    // the error to the new world, milliseconds
    double total;     // last good barrier to the first good barrier of the new world, milliseconds
    int dead;
};

static MPI_Comm all; // active ranks and spares
static MPI_Comm world = MPI_COMM_NULL;
static int active;         // size of the world, always the same
static int rank = NO_RANK; // in the world; none for a spare
static struct recovery recoveries[MAX_RECOVERIES];
static int recovered;

static void fatal(const char *what) {
    fprintf(stderr, "spares: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 3);
}

static void silence(MPI_Comm comm) {
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
}

// New world from the survivors of `all`: the survivors keep their ranks, the lowest spares fill the holes.
static void repair(void) {
    for (;;) {
        MPI_Comm alive;
        MPIX_Comm_revoke(all);
        if (world != MPI_COMM_NULL) {
            MPIX_Comm_revoke(world);
        }
        if (MPIX_Comm_shrink(all, &alive) != MPI_SUCCESS) {
            continue;
        }
        silence(alive);
        int size, me;
        MPI_Comm_size(alive, &size);
        MPI_Comm_rank(alive, &me);
        int *taken = malloc((size_t)size * sizeof(int));
        int ok = MPI_Allgather(&rank, 1, MPI_INT, taken, 1, MPI_INT, alive) == MPI_SUCCESS;
        int mine = rank;
        for (int place = 0, spare = 0; ok && place < active; place++) {
            int found = 0;
            for (int i = 0; i < size; i++) {
                found |= taken[i] == place;
            }
            if (found) {
                continue;
            }
            while (spare < size && taken[spare] != NO_RANK) {
                spare++;
            }
            if (spare == size) {
                fatal("no spare left");
            }
            if (spare == me) {
                mine = place;
            }
            spare++;
        }
        free(taken);
        MPI_Comm next = MPI_COMM_NULL;
        ok = ok && MPI_Comm_split(alive, mine == NO_RANK ? MPI_UNDEFINED : 0, mine, &next) == MPI_SUCCESS;
        int flag = ok;
        ok = MPIX_Comm_agree(alive, &flag) == MPI_SUCCESS && flag;
        all = alive;
        if (ok) {
            rank = mine;
            world = next;
            if (world != MPI_COMM_NULL) {
                silence(world);
            }
            return;
        }
    }
}

// One round; false if it failed.
static int step(void) {
    double one = rank + 1.0, sum = 0;
    if (MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, world) != MPI_SUCCESS || MPI_Barrier(world) != MPI_SUCCESS) {
        return 0;
    }
    if (sum != active * (active + 1) / 2.0) {
        fatal("wrong sum");
    }
    return 1;
}

static void wait_as_spare(int *done) {
    char nothing;
    // An error means that a process has failed; each process that sees it revokes the communicator.
    *done = MPI_Recv(&nothing, 0, MPI_CHAR, MPI_ANY_SOURCE, DONE_TAG, all, MPI_STATUS_IGNORE) == MPI_SUCCESS;
    if (!*done) {
        repair();
    }
}

static void announce(void) {
    const char *ready = getenv("KINTSUGI_READY");
    FILE *file = ready != NULL ? fopen(ready, "w") : NULL;
    if (file != NULL) {
        fclose(file);
    }
}

int main(int argc, char **argv) {
    // Open MPI's TCP transport writes to a dead peer's connection without MSG_NOSIGNAL (JVMs ignore the signal anyway).
    signal(SIGPIPE, SIG_IGN);
    MPI_Init(&argc, &argv);
    int *active_ft, has_ft = 0;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_FT, &active_ft, &has_ft);
    if (!has_ft || !*active_ft || argc < 3) {
        fatal("needs mpirun --with-ft ulfm, and SPARES MILLIS [KILL_RANK KILL_MILLIS]...");
    }
    int size, me, spares = atoi(argv[1]), done = 0;
    double duration = atof(argv[2]) / 1e3;
    MPI_Comm_dup(MPI_COMM_WORLD, &all);
    silence(MPI_COMM_WORLD);
    silence(all);
    MPI_Comm_size(all, &size);
    MPI_Comm_rank(all, &me);
    active = size - spares;
    rank = me < active ? me : NO_RANK;
    MPI_Comm_split(all, rank == NO_RANK ? MPI_UNDEFINED : 0, me, &world);
    if (world != MPI_COMM_NULL) {
        silence(world);
    }

    double kill_at = 1e30, begin = MPI_Wtime();
    for (int i = 3; i + 1 < argc; i += 2) {
        if (me == atoi(argv[i])) {
            kill_at = atof(argv[i + 1]) / 1e3;
        }
    }
    double good = begin;
    struct recovery pending = {0, 0, 0, 0};
    int announced = 0;
    while (!done) {
        if (rank == NO_RANK) {
            wait_as_spare(&done);
            continue;
        }
        if (MPI_Wtime() - begin > kill_at) {
            raise(SIGKILL);
        }
        if (step()) {
            double last = good;
            good = MPI_Wtime();
            if (pending.dead > 0 && recovered < MAX_RECOVERIES) {
                pending.total = (good - last) * 1e3;
                recoveries[recovered++] = pending;
                pending.dead = 0;
            }
            if (rank == 0 && !announced) {
                announced = 1;
                announce();
            }
            // The end is one rank's word: clocks differ.
            int end = good - begin > duration;
            done = MPI_Bcast(&end, 1, MPI_INT, 0, world) == MPI_SUCCESS && end;
            continue;
        }
        double seen = MPI_Wtime();
        int before, after;
        MPI_Comm_size(all, &before);
        repair();
        MPI_Comm_size(all, &after);
        pending = (struct recovery){(seen - good) * 1e3, (MPI_Wtime() - seen) * 1e3, 0, before - after};
    }
    if (rank == 0) {
        MPI_Comm_size(all, &size);
        MPI_Comm_rank(all, &me);
        for (int i = 0; i < size; i++) {
            // To those of the world as well: they are gone from the loop and take no notice.
            if (i != me) {
                MPI_Request sent;
                MPI_Isend("", 0, MPI_CHAR, i, DONE_TAG, all, &sent);
                MPI_Request_free(&sent);
            }
        }
        for (int i = 0; i < recovered; i++) {
            printf("recovery dead=%d detection=%.1f repair=%.1f total=%.1f\n", recoveries[i].dead,
                   recoveries[i].detection, recoveries[i].repair, recoveries[i].total);
        }
        printf("done\n");
        fflush(stdout);
    }
    MPI_Finalize();
    return 0;
}
