/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * recovery ... FILE KILLS ITERATIONS: the time of a recovery in plain C on the Reinit++ fork, as
 * org.kintsugi.ci.bench.RecoveryRanks does it in Java. It is started by the same command line as
 * Java (as JobSpec.java). It reads the last three arguments, and the folder in which ranks leave
 * marks for the launcher: without these marks the launcher would end a job in which many ranks
 * start anew, as if the program could not start.
 *
 * All meet in barriers, 2 ms apart. After ITERATIONS of them one rank kills itself, another one in each epoch, KILLS
 * times. FILE has two times for each rank of each epoch (enum stamp), on the clock that System.nanoTime has too. What
 * is measured is written down only when the epoch is well under way, and by a victim just before its death.
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

#define JOB_DIR "-Dkintsugi.job.dir="

enum stamp { LAST_BARRIER, FIRST_COLLECTIVE, STAMPS };

/* Barriers of an epoch after which its beginning is written down, and of the epoch in which no
 * process dies. */
enum { SETTLED = 10, CLOSING = 50 };

static const char *file;
static int kills;
static int iterations;

/* Outlives a rollback. */
static volatile int epoch;
static volatile int64_t last_barrier;
static int64_t *stamps;

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static void write_down(int of_epoch, enum stamp what, int64_t nanos) {
    int ranks, rank;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (stamps == NULL) {
        size_t bytes = sizeof *stamps * (kills + 1) * ranks * STAMPS;
        int descriptor = open(file, O_RDWR);
        void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
        if (memory == MAP_FAILED) {
            perror(file);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
        close(descriptor);
        stamps = memory;
    }
    stamps[(of_epoch * ranks + rank) * STAMPS + what] = nanos;
}

static int restart_point(int argc, char **argv, OMPI_reinit_state_t state) {
    (void)argc, (void)argv;
    int ranks, rank;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int known = state == OMPI_REINIT_REINITED ? epoch + 1 : 0;
    int agreed;
    MPI_Allreduce(&known, &agreed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    int64_t first = now();
    int64_t last_of_old_epoch = last_barrier;
    epoch = agreed;
    bool last_epoch = epoch == kills;
    for (int i = 0; !last_epoch || i < CLOSING; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        last_barrier = now();
        if (i == SETTLED) {
            write_down(epoch, FIRST_COLLECTIVE, first);
            if (state == OMPI_REINIT_REINITED) {
                write_down(epoch - 1, LAST_BARRIER, last_of_old_epoch);
            }
        }
        if (!last_epoch && i + 1 == iterations && rank == epoch % ranks) {
            write_down(epoch, LAST_BARRIER, last_barrier);
            kill(getpid(), SIGKILL);
        }
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
    return 0;
}

static void leave_mark(int argc, char **argv, const char *name) {
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], JOB_DIR, strlen(JOB_DIR)) == 0) {
            char mark[4096];
            snprintf(mark, sizeof mark, "%s/%s", argv[i] + strlen(JOB_DIR), name);
            close(open(mark, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
        }
    }
}

int main(int argc, char **argv) {
    if (argc < 4) {
        fprintf(stderr, "usage: recovery ... FILE KILLS ITERATIONS\n");
        return 2;
    }
    file = argv[argc - 3];
    kills = atoi(argv[argc - 2]);
    iterations = atoi(argv[argc - 1]);
    /* kintsugi-rank has it blocked (and ignored, until the fork's handler is there). */
    sigset_t rollback;
    sigemptyset(&rollback);
    sigaddset(&rollback, SIGUSR1);
    sigprocmask(SIG_UNBLOCK, &rollback, NULL);
    leave_mark(argc, argv, "mpi-begun");
    MPI_Init(&argc, &argv);
    int code = OMPI_Reinit(argc, argv, restart_point);
    MPI_Finalize();
    leave_mark(argc, argv, "mpi-finished");
    return code;
}
