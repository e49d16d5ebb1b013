/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * repair ... FILE KILLS ITERATIONS: the time of a recovery with warm spares in plain C with ULFM,
 * as org.kintsugi.ci.bench.RecoveryRanks does it in Java. It is started by the same command line as
 * Java: its path takes the place of the java command (JobSpec.java(Path)). It reads the last three arguments, and the number of spares.
 *
 * All ranks meet in barriers, 2 ms apart. After ITERATIONS of them one rank kills itself, another one in each epoch, KILLS
 * times; a spare takes its place. The steps of a repair are those of org.kintsugi.reinit.UlfmProvider: revoke, meet, shrink,
 * tell, plan, split, agree. One process fails at a time; an error in the middle of a repair ends the job. FILE has two times
 * for each rank of each epoch (enum stamp), on the clock that System.nanoTime has too; what is measured is written down only
 * when the epoch is well under way, and by a victim just before its death.
 */
#define _GNU_SOURCE
#include <mpi.h>

/* Needs mpi.h before it. */
#include <mpi-ext.h>

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define SPARES "-Dkintsugi.spares="

enum stamp { LAST_BARRIER, FIRST_COLLECTIVE, STAMPS };

/* SETTLED: the barrier of an epoch at which its start time is written. CLOSING: the number of barriers of the last
 * epoch, in which no process fails. */
enum { SETTLED = 10, CLOSING = 50 };

enum { SPARE = -1, SLEEP_NANOS = 50000, BARRIERS_APART_NANOS = 2000000 };

static int kills;
static int iterations;
static int ranks;
static int epoch;
static int role;
static bool is_replacement;
static int64_t last_barrier;
static int64_t *stamps;
static MPI_Comm resilient;
static MPI_Comm world = MPI_COMM_NULL;

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static void require(int code, const char *step) {
    if (code != MPI_SUCCESS) {
        fprintf(stderr, "repair: %s failed with %d\n", step, code);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void map_stamps(const char *file) {
    int descriptor = open(file, O_RDWR);
    void *memory =
        mmap(NULL, sizeof *stamps * (kills + 1) * ranks * STAMPS, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (memory == MAP_FAILED) {
        perror(file);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    close(descriptor);
    stamps = memory;
}

static void write_down(int of_epoch, enum stamp what, int64_t nanos) {
    stamps[(of_epoch * ranks + role) * STAMPS + what] = nanos;
}

/* Whether the epoch is complete here; false: a process has failed. */
static bool body(void) {
    bool last_epoch = epoch == kills;
    int64_t last_of_old_epoch = last_barrier;
    int64_t first = 0;
    for (int i = 0; !last_epoch || i < CLOSING; i++) {
        if (MPI_Barrier(world) != MPI_SUCCESS) {
            MPIX_Comm_revoke(world);
            return false;
        }
        last_barrier = now();
        if (i == 0) {
            first = last_barrier;
        } else if (i == SETTLED) {
            write_down(epoch, FIRST_COLLECTIVE, first);
            if (epoch > 0 && !is_replacement) {
                write_down(epoch - 1, LAST_BARRIER, last_of_old_epoch);
            }
        }
        if (!last_epoch && i + 1 == iterations && role == epoch % ranks) {
            write_down(epoch, LAST_BARRIER, last_barrier);
            kill(getpid(), SIGKILL);
        }
        nanosleep(&(struct timespec){.tv_nsec = BARRIERS_APART_NANOS}, NULL);
    }
    return true;
}

/* Whether all processes are done, and none has failed. Waiting processes sleep, so that working ranks get the cores. */
static bool meet(bool done) {
    int all_done = done;
    MPI_Request agreement;
    require(MPIX_Comm_iagree(resilient, &all_done, &agreement), "MPIX_Comm_iagree");
    int code = MPI_SUCCESS;
    if (done) {
        int through = 0;
        while (code == MPI_SUCCESS && !through) {
            code = MPI_Test(&agreement, &through, MPI_STATUS_IGNORE);
            nanosleep(&(struct timespec){.tv_nsec = through ? 0 : SLEEP_NANOS}, NULL);
        }
    } else {
        code = MPI_Wait(&agreement, MPI_STATUS_IGNORE);
    }
    return code == MPI_SUCCESS && all_done;
}

/* Survivors keep their ranks, the lowest spares fill the holes in ascending order. */
static int plan(const int *roles, int processes, int me) {
    int hole = 0;
    for (int i = 0; i < processes; i++) {
        if (roles[i] != SPARE) {
            continue;
        }
        bool is_taken = true;
        while (hole < ranks && is_taken) {
            is_taken = false;
            for (int other = 0; other < processes; other++) {
                is_taken |= roles[other] == hole;
            }
            hole += is_taken;
        }
        if (i == me) {
            return hole < ranks ? hole : SPARE;
        }
        hole++;
    }
    return roles[me];
}

static void repair(MPI_Comm broken) {
    MPI_Comm living;
    require(MPIX_Comm_shrink(broken, &living), "MPIX_Comm_shrink");
    if (broken != MPI_COMM_WORLD) {
        MPI_Comm_free(&broken);
    }
    resilient = living;
    int processes, me;
    MPI_Comm_size(resilient, &processes);
    MPI_Comm_rank(resilient, &me);
    int told[2] = {role, epoch};
    int(*all)[2] = malloc(sizeof *all * processes);
    int *roles = malloc(sizeof *roles * processes);
    require(MPI_Allgather(told, 2, MPI_INT, all, 2, MPI_INT, resilient), "MPI_Allgather");
    for (int i = 0; i < processes; i++) {
        roles[i] = all[i][0];
    }
    int new_role = plan(roles, processes, me);
    free(roles);
    free(all);
    require(MPI_Comm_split(resilient, new_role == SPARE ? MPI_UNDEFINED : 0, new_role == SPARE ? 0 : new_role, &world),
            "MPI_Comm_split");
    int well = 1;
    require(MPIX_Comm_agree(resilient, &well), "MPIX_Comm_agree");
    is_replacement = role == SPARE && new_role != SPARE;
    role = new_role;
}

static int spares(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], SPARES, strlen(SPARES)) == 0) {
            return atoi(argv[i] + strlen(SPARES));
        }
    }
    return 0;
}

int main(int argc, char **argv) {
    if (argc < 4) {
        fprintf(stderr, "usage: repair ... FILE KILLS ITERATIONS\n");
        return 2;
    }
    kills = atoi(argv[argc - 2]);
    iterations = atoi(argv[argc - 1]);
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int processes;
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    MPI_Comm_rank(MPI_COMM_WORLD, &role);
    ranks = processes - spares(argc, argv);
    role = role < ranks ? role : SPARE;
    map_stamps(argv[argc - 3]);
    repair(MPI_COMM_WORLD);
    while (!meet(role == SPARE || body())) {
        if (world != MPI_COMM_NULL) {
            MPI_Comm_free(&world);
        }
        epoch++;
        repair(resilient);
    }
    MPI_Finalize();
    return 0;
}
