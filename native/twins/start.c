/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * start ...: what it takes all processes of a job to begin, meet and end in plain C, as org.kintsugi.ci.bench.StartRanks does in
 * Java. It is started by the command line that starts Java (as JobSpec.java), and looks at none of it.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    MPI_Init(NULL, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
