/* Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0 */
#include "solver.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int TAG = 99;

static int local_index(const struct hpccg *h, int x, int y, int z) {
    int in_plane = y * h->nx + x;
    if (z < 0) {
        return h->rows + in_plane;
    }
    if (z >= h->nz) {
        return h->rows + (h->below != MPI_PROC_NULL ? h->plane : 0) + in_plane;
    }
    return z * h->plane + in_plane;
}

/* The entries of a row in the order of the stencil, which is the order in which they are summed. */
static int add_row(struct hpccg *h, int ix, int iy, int iz, int next) {
    int row = local_index(h, ix, iy, iz);
    for (int z = iz - 1; z <= iz + 1; z++) {
        if ((z < 0 && h->below == MPI_PROC_NULL) || (z >= h->nz && h->above == MPI_PROC_NULL)) {
            continue;
        }
        for (int y = iy - 1; y <= iy + 1; y++) {
            for (int x = ix - 1; x <= ix + 1; x++) {
                if (x >= 0 && x < h->nx && y >= 0 && y < h->ny) {
                    h->columns[next] = local_index(h, x, y, z);
                    h->values[next] = h->columns[next] == row ? 27.0 : -1.0;
                    next++;
                }
            }
        }
    }
    h->b[row] = 27.0 - (next - h->row_start[row] - 1);
    h->row_start[row + 1] = next;
    return next;
}

int hpccg_create(struct hpccg *h, MPI_Comm comm, int nx, int ny, int nz) {
    memset(h, 0, sizeof *h);
    /* Entries are counted in an int. */
    if ((double)nx * ny * nz * 27 > INT_MAX) {
        return 0;
    }
    int rank;
    int size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    h->comm = comm;
    h->nx = nx;
    h->ny = ny;
    h->nz = nz;
    h->plane = nx * ny;
    h->rows = h->plane * nz;
    h->below = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    h->above = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    size_t rows = (size_t)h->rows;
    h->row_start = calloc(rows + 1, sizeof(int));
    h->columns = malloc(rows * 27 * sizeof(int));
    h->values = malloc(rows * 27 * sizeof(double));
    h->b = malloc(rows * sizeof(double));
    h->x = malloc(rows * sizeof(double));
    h->r = malloc(rows * sizeof(double));
    h->p = malloc((rows + 2 * (size_t)h->plane) * sizeof(double));
    h->ap = malloc(rows * sizeof(double));
    if (!h->row_start || !h->columns || !h->values || !h->b || !h->x || !h->r || !h->p || !h->ap) {
        return 0;
    }
    int next = 0;
    for (int iz = 0; iz < nz; iz++) {
        for (int iy = 0; iy < ny; iy++) {
            for (int ix = 0; ix < nx; ix++) {
                next = add_row(h, ix, iy, iz, next);
            }
        }
    }
    return 1;
}

void hpccg_free(struct hpccg *h) {
    free(h->row_start);
    free(h->columns);
    free(h->values);
    free(h->b);
    free(h->x);
    free(h->r);
    free(h->p);
    free(h->ap);
    memset(h, 0, sizeof *h);
}

/* y = A x, each row from left to right. */
static void multiply(const struct hpccg *h, const double *x, double *y) {
    for (int row = 0; row < h->rows; row++) {
        double sum = 0.0;
        for (int k = h->row_start[row]; k < h->row_start[row + 1]; k++) {
            sum += h->values[k] * x[h->columns[k]];
        }
        y[row] = sum;
    }
}

/* w = a + factor * b; w may be a or b. */
static void add(int n, const double *a, double factor, const double *b, double *w) {
    for (int i = 0; i < n; i++) {
        w[i] = a[i] + factor * b[i];
    }
}

static double dot(const struct hpccg *h, const double *a, const double *b) {
    double sum = 0.0;
    double all;
    for (int i = 0; i < h->rows; i++) {
        sum += a[i] * b[i];
    }
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, h->comm);
    return all;
}

/* The planes at both ends are where they are sent from, and the ghosts where they are received: nothing to copy. */
static void exchange(struct hpccg *h) {
    MPI_Request requests[4];
    double *ghosts_below = h->p + h->rows;
    double *ghosts_above = ghosts_below + (h->below != MPI_PROC_NULL ? h->plane : 0);
    MPI_Irecv(ghosts_below, h->plane, MPI_DOUBLE, h->below, TAG, h->comm, &requests[0]);
    MPI_Irecv(ghosts_above, h->plane, MPI_DOUBLE, h->above, TAG, h->comm, &requests[1]);
    MPI_Isend(h->p, h->plane, MPI_DOUBLE, h->below, TAG, h->comm, &requests[2]);
    MPI_Isend(h->p + h->rows - h->plane, h->plane, MPI_DOUBLE, h->above, TAG, h->comm, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

int hpccg_solve(struct hpccg *h, int max_iterations, double *residuals, double *seconds) {
    size_t bytes = (size_t)h->rows * sizeof(double);
    memset(h->x, 0, bytes);
    memset(h->p, 0, bytes);
    exchange(h);
    multiply(h, h->p, h->ap);
    add(h->rows, h->b, -1.0, h->ap, h->r);
    double rtrans = dot(h, h->r, h->r);
    residuals[0] = sqrt(rtrans);

    MPI_Barrier(h->comm);
    double start = MPI_Wtime();
    int passes = 0;
    for (int k = 1; k < max_iterations && residuals[k - 1] > 0.0; k++) {
        if (k == 1) {
            memcpy(h->p, h->r, bytes);
        } else {
            double old = rtrans;
            rtrans = dot(h, h->r, h->r);
            add(h->rows, h->r, rtrans / old, h->p, h->p);
        }
        residuals[k] = sqrt(rtrans);
        exchange(h);
        multiply(h, h->p, h->ap);
        double alpha = rtrans / dot(h, h->p, h->ap);
        add(h->rows, h->x, alpha, h->p, h->x);
        add(h->rows, h->r, -alpha, h->ap, h->r);
        passes = k;
    }
    *seconds = MPI_Wtime() - start;
    return passes;
}

double hpccg_max_error(const struct hpccg *h) {
    double largest = 0.0;
    for (int i = 0; i < h->rows; i++) {
        largest = fmax(largest, fabs(h->x[i] - 1.0));
    }
    MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, h->comm);
    return largest;
}

double hpccg_sum(const struct hpccg *h) {
    double sum = 0.0;
    for (int i = 0; i < h->rows; i++) {
        sum += h->x[i];
    }
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, h->comm);
    return sum;
}
