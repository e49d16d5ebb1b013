/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * For tests: preloaded into ranks, a thread that the JVM does not know drives MPI from MPI_Init_thread to MPI_Finalize, as the
 * progress threads of other libraries do.
 */
#define _GNU_SOURCE

#include <mpi.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

typedef int init_function(int *argc, char ***argv, int required, int *provided);
typedef int finalize_function(void);

static pthread_t stranger;
static atomic_int is_over;

static void *drive(void *unused) {
    (void)unused;
    const struct timespec pause = {0, 1000000};
    MPI_Comm self = (MPI_Comm)dlsym(RTLD_DEFAULT, "ompi_mpi_comm_self"); /* not loaded yet when this library is */
    while (!atomic_load(&is_over)) {
        int flag;
        /* A probe makes progress if it finds nothing. */
        MPI_Iprobe(0, 4711, self, &flag, MPI_STATUS_IGNORE);
        nanosleep(&pause, NULL);
    }
    return NULL;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    init_function *original = (init_function *)dlsym(RTLD_DEFAULT, "PMPI_Init_thread");
    int code = original(argc, argv, required, provided);
    if (code == MPI_SUCCESS && pthread_create(&stranger, NULL, drive, NULL) != 0) {
        return MPI_ERR_OTHER;
    }
    return code;
}

int MPI_Finalize(void) {
    atomic_store(&is_over, 1);
    pthread_join(stranger, NULL);
    finalize_function *original = (finalize_function *)dlsym(RTLD_DEFAULT, "PMPI_Finalize");
    return original();
}
