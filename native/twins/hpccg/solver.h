/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * HPCCG in C: conjugate gradients on a 27-point operator, every rank with a block of nx x ny x nz, ranks stacked along
 * z. The twin of org.kintsugi.examples.hpccg: the same matrix in compressed rows, the same order of every sum, the same
 * messages. Built without fused multiply-add, it gives the same bits.
 */
#ifndef KINTSUGI_TWIN_HPCCG_SOLVER_H
#define KINTSUGI_TWIN_HPCCG_SOLVER_H

#include <mpi.h>

/* One rank's part. Vectors that are multiplied with the matrix have room for two ghost planes after
 * the owned rows. */
struct hpccg {
    MPI_Comm comm;
    int nx, ny, nz, rows, plane;
    int below, above; /* neighbours, or MPI_PROC_NULL */
    int *row_start, *columns;
    double *values, *b;
    double *x, *r, *p, *ap;
};

/* Fills in the problem; 0 if memory runs out or the block is too large (on this rank: the caller asks the others). */
int hpccg_create(struct hpccg *h, MPI_Comm comm, int nx, int ny, int nz);

void hpccg_free(struct hpccg *h);

/*
 * Solves from x = 0: passes 1 to max_iterations - 1 while the residual is above 0. residuals has room for
 * max_iterations values: [0] the initial one, [k] that of pass k. Returns the passes made; *seconds is the time of all
 * passes on this rank, the set-up left out. Collective.
 */
int hpccg_solve(struct hpccg *h, int max_iterations, double *residuals, double *seconds);

/* The largest difference from the solution, all ones, and the sum of x. Collective. */
double hpccg_max_error(const struct hpccg *h);
double hpccg_sum(const struct hpccg *h);

#endif
