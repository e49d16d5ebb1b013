/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * For tests: preloaded into ranks, it has each MPI_Allreduce take KINTSUGI_PACE milliseconds more. A small program then runs
 * long enough for a blow to fall into it, however quick the machine is, and leaves the processors to others.
 */
#define _GNU_SOURCE

#include <mpi.h>

#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

typedef int allreduce_function(const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);

int MPI_Allreduce(const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    const char *pace = getenv("KINTSUGI_PACE");
    long millis = pace == NULL ? 0 : strtol(pace, NULL, 10);
    struct timespec time = {.tv_sec = millis / 1000, .tv_nsec = millis % 1000 * 1000000};
    nanosleep(&time, NULL);
    allreduce_function *original = (allreduce_function *)dlsym(RTLD_DEFAULT, "PMPI_Allreduce");
    return original(send, receive, count, type, op, comm);
}
