// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
// Started by info.sh as the only rank of a job: says what this MPI gives at run time, and which libmpi it has loaded; a word on
// each line.
#define _GNU_SOURCE
#include <mpi.h>

#include <dlfcn.h>
#include <mpi-ext.h> // after mpi.h
#include <stdio.h>

int main(int argc, char **argv) {
    Dl_info library;
    MPI_Init(&argc, &argv);
    if (dladdr((void *)MPI_Init, &library) != 0) {
        printf("libmpi=%s\n", library.dli_fname);
    }
#if defined(OMPI_HAVE_MPI_EXT_FTMPI) && OMPI_HAVE_MPI_EXT_FTMPI
    int *active, found = 0;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_FT, &active, &found);
    printf("ulfm=%s\n", found && *active ? "active" : "dummies");
#else
    printf("ulfm=none\n");
#endif
#if defined(OMPI_HAVE_MPI_EXT_REINIT) && OMPI_HAVE_MPI_EXT_REINIT
    OMPI_reinit_state_t state = OMPI_REINIT_NEW;
    int (*enter)(int, char **, const MPI_Restart_point) = OMPI_Reinit;
    printf("reinit=%s\n", enter != NULL && state == OMPI_REINIT_NEW ? "yes" : "no");
#endif
    MPI_Finalize();
    return 0;
}
