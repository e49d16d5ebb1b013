/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * HPCCG in C as a program, which does the same computation as org.kintsugi.examples.hpccg (its twin):
 * mpirun -n RANKS hpccg NX NY NZ [MAX_ITERATIONS]. Rank 0 prints JSON: results with all digits, the time with nine.
 */
#include "solver.h"

#include <stdio.h>
#include <stdlib.h>

static int positive(const char *text) {
    char *end;
    long value = strtol(text, &end, 10);
    return *text && !*end && value > 0 && value <= 1 << 20 ? (int)value : 0;
}

static void print(const struct hpccg *h, int passes, const double *residuals, double seconds) {
    int rank;
    int size;
    MPI_Comm_rank(h->comm, &rank);
    MPI_Comm_size(h->comm, &size);
    long long entries = h->row_start[h->rows];
    double max_error = hpccg_max_error(h);
    double sum = hpccg_sum(h);
    MPI_Allreduce(MPI_IN_PLACE, &entries, 1, MPI_LONG_LONG, MPI_SUM, h->comm);
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, h->comm);
    if (rank != 0) {
        return;
    }
    printf("{\n  \"app\" : \"hpccg\",\n  \"ranks\" : %d,\n  \"params\" : [ %d, %d, %d ],\n", size, h->nx, h->ny, h->nz);
    printf("  \"nonzeros\" : %lld,\n  \"iterations\" : %d,\n  \"residuals\" : [ ", entries, passes);
    for (int k = 0; k <= passes; k++) {
        printf("%s%.17g", k > 0 ? ", " : "", residuals[k]);
    }
    printf(" ],\n  \"maxError\" : %.17g,\n  \"sumX\" : %.17g,\n", max_error, sum);
    printf("  \"secondsPerIteration\" : %.9g\n}\n", passes > 0 ? seconds / passes : 0.0);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int nx = argc > 3 ? positive(argv[1]) : 0;
    int ny = argc > 3 ? positive(argv[2]) : 0;
    int nz = argc > 3 ? positive(argv[3]) : 0;
    int max_iterations = argc > 4 ? positive(argv[4]) : 150;
    if (argc > 5 || !nx || !ny || !nz || !max_iterations) {
        if (rank == 0) {
            fprintf(stderr, "usage: hpccg NX NY NZ [MAX_ITERATIONS]; points of each rank's block, all positive\n");
        }
        MPI_Finalize();
        return 2;
    }
    struct hpccg problem;
    double *residuals = malloc((size_t)max_iterations * sizeof(double));
    int fits = hpccg_create(&problem, MPI_COMM_WORLD, nx, ny, nz) && residuals;
    MPI_Allreduce(MPI_IN_PLACE, &fits, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (fits) {
        double seconds;
        int passes = hpccg_solve(&problem, max_iterations, residuals, &seconds);
        print(&problem, passes, residuals, seconds);
    } else if (rank == 0) {
        fprintf(stderr, "hpccg: a block of %d x %d x %d points does not fit\n", nx, ny, nz);
    }
    hpccg_free(&problem);
    free(residuals);
    MPI_Finalize();
    return fits ? 0 : 1;
}
