/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * Preloaded into the ranks of a benchmark, it writes down when a process enters and leaves the calls of MPI that a
 * recovery consists of, and what processor time they took: org.kintsugi.ci.growth reads that. C and Java are measured by
 * the same instrument, and neither program knows of it.
 *
 * Each process has a part of the file that KINTSUGI_STEPS names: its rank, the number of its records, and the records.
 * A barrier that follows two others without an error replaces the last one: so the file has the last barrier before a
 * failure and the first one after the recovery, and not the thousands between. A process that is killed leaves what it
 * has written, as the file is mapped.
 */
#define _GNU_SOURCE
#include <mpi.h>

/* Needs mpi.h before it. */
#include <mpi-ext.h>

#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* org.kintsugi.ci.growth.StepFile has the same numbers. */
enum call { BARRIER = 1, REVOKE, IAGREE, AGREE, SHRINK, ALLGATHER, SPLIT, FREE, WAIT, BCAST, ALLREDUCE, DUP };

enum { RECORDS = 1000 };

struct moment {
    int64_t wall;
    /* Of the thread that calls MPI, and of all threads of the process. */
    int64_t thread;
    int64_t process;
    /* How often this thread has given the core away because it had nothing to do. */
    int64_t yields;
};

struct record {
    int64_t call;
    int64_t code;
    struct moment entered;
    struct moment left;
};

struct part {
    int64_t rank;
    int64_t count;
    struct record records[RECORDS];
};

struct file {
    _Atomic int64_t processes;
    int64_t padding;
    struct part parts[];
};

static struct part *part;
static __thread int64_t yields __attribute__((tls_model("initial-exec")));

int sched_yield(void) {
    yields++;
    return (int)syscall(SYS_sched_yield);
}

static int64_t clock_nanos(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static struct moment now(void) {
    return (struct moment){.wall = clock_nanos(CLOCK_MONOTONIC),
                           .thread = clock_nanos(CLOCK_THREAD_CPUTIME_ID),
                           .process = clock_nanos(CLOCK_PROCESS_CPUTIME_ID),
                           .yields = yields};
}

static void map_part(void) {
    static int is_tried;
    const char *name = getenv("KINTSUGI_STEPS");
    if (is_tried || name == NULL) {
        return;
    }
    is_tried = 1;
    int descriptor = open(name, O_RDWR | O_CLOEXEC);
    struct stat status;
    if (descriptor < 0 || fstat(descriptor, &status) != 0) {
        perror(name);
        return;
    }
    struct file *file = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    close(descriptor);
    if (file == MAP_FAILED) {
        perror(name);
        return;
    }
    int64_t place = atomic_fetch_add(&file->processes, 1);
    if ((size_t)status.st_size < sizeof *file + (size_t)(place + 1) * sizeof *part) {
        fprintf(stderr, "%s: too small for process %ld\n", name, (long)place);
        return;
    }
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    part = &file->parts[place];
    part->rank = rank;
}

static int is_barrier(int64_t place) {
    return place >= 0 && part->records[place].call == BARRIER && part->records[place].code == MPI_SUCCESS;
}

static int note(enum call call, int code, struct moment entered) {
    if (part == NULL) {
        map_part();
    }
    if (part != NULL) {
        int64_t place = part->count;
        if (call == BARRIER && code == MPI_SUCCESS && is_barrier(place - 1) && is_barrier(place - 2)) {
            place--;
        }
        if (place < RECORDS) {
            part->records[place] = (struct record){.call = call, .code = code, .entered = entered, .left = now()};
            part->count = place + 1;
        }
    }
    return code;
}

int MPI_Barrier(MPI_Comm comm) {
    struct moment entered = now();
    return note(BARRIER, PMPI_Barrier(comm), entered);
}

int MPIX_Comm_revoke(MPI_Comm comm) {
    struct moment entered = now();
    return note(REVOKE, PMPIX_Comm_revoke(comm), entered);
}

int MPIX_Comm_iagree(MPI_Comm comm, int *flag, MPI_Request *request) {
    struct moment entered = now();
    return note(IAGREE, PMPIX_Comm_iagree(comm, flag, request), entered);
}

int MPIX_Comm_agree(MPI_Comm comm, int *flag) {
    struct moment entered = now();
    return note(AGREE, PMPIX_Comm_agree(comm, flag), entered);
}

int MPIX_Comm_shrink(MPI_Comm comm, MPI_Comm *smaller) {
    struct moment entered = now();
    return note(SHRINK, PMPIX_Comm_shrink(comm, smaller), entered);
}

int MPI_Allgather(const void *send, int sends, MPI_Datatype sent, void *receive, int receives, MPI_Datatype received,
                  MPI_Comm comm) {
    struct moment entered = now();
    return note(ALLGATHER, PMPI_Allgather(send, sends, sent, receive, receives, received, comm), entered);
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *part_of_it) {
    struct moment entered = now();
    return note(SPLIT, PMPI_Comm_split(comm, color, key, part_of_it), entered);
}

int MPI_Comm_free(MPI_Comm *comm) {
    struct moment entered = now();
    return note(FREE, PMPI_Comm_free(comm), entered);
}

int MPI_Wait(MPI_Request *request, MPI_Status *status) {
    struct moment entered = now();
    return note(WAIT, PMPI_Wait(request, status), entered);
}

int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    struct moment entered = now();
    return note(BCAST, PMPI_Bcast(buffer, count, type, root, comm), entered);
}

int MPI_Allreduce(const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    struct moment entered = now();
    return note(ALLREDUCE, PMPI_Allreduce(send, receive, count, type, op, comm), entered);
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *copy) {
    struct moment entered = now();
    return note(DUP, PMPI_Comm_dup(comm, copy), entered);
}
