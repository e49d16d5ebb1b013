/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * For tests: preloaded into ranks, it makes MPI_Testall return what that of Open MPI 5.0.10 returns (open-mpi/ompi#13967):
 * MPI_ERR_IN_STATUS when all requests have completed well, and success when one has failed.
 */
#define _GNU_SOURCE

#include <mpi.h>

#include <dlfcn.h>

typedef int testall_function(int count, MPI_Request requests[], int *flag, MPI_Status statuses[]);

int MPI_Testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[]) {
    testall_function *original = (testall_function *)dlsym(RTLD_DEFAULT, "PMPI_Testall");
    int code = original(count, requests, flag, statuses);
    if (code == MPI_ERR_IN_STATUS) {
        return MPI_SUCCESS;
    }
    return code == MPI_SUCCESS && *flag ? MPI_ERR_IN_STATUS : code;
}
