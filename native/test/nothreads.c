/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * For tests: preloaded into ranks, it makes MPI_Init_thread give no more than MPI_THREAD_SINGLE, as an MPI without threads does.
 */
#define _GNU_SOURCE

#include <mpi.h>

#include <dlfcn.h>

typedef int init_function(int *argc, char ***argv, int required, int *provided);

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    init_function *original = (init_function *)dlsym(RTLD_DEFAULT, "PMPI_Init_thread");
    int code = original(argc, argv, required, provided);
    *provided = MPI_THREAD_SINGLE;
    return code;
}
