/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * HPCCG's solver in C, for org.kintsugi.ci.bench.HpccgBench: the same matrix in compressed rows, the same order of
 * sums, the same halo. Returns the seconds of one pass, or a negative number if memory runs out.
 */
#include <jni.h>
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct problem {
    int nx, ny, nz, rows, plane, lower, upper;
    int *row_start, *columns;
    double *values, *x, *r, *p, *ap;
};

static int local_index(const struct problem *m, int x, int y, int plane) {
    if (plane < 0) {
        return m->rows + y * m->nx + x;
    }
    if (plane >= m->nz) {
        return m->rows + (m->lower != MPI_PROC_NULL ? m->plane : 0) + y * m->nx + x;
    }
    return (plane * m->ny + y) * m->nx + x;
}

static void fill(struct problem *m) {
    int k = 0;
    m->row_start[0] = 0;
    for (int row = 0; row < m->rows; row++) {
        int ix = row % m->nx;
        int iy = row / m->nx % m->ny;
        int iz = row / m->plane;
        for (int sz = -1; sz <= 1; sz++) {
            int plane = iz + sz;
            if ((plane < 0 && m->lower == MPI_PROC_NULL) || (plane >= m->nz && m->upper == MPI_PROC_NULL)) {
                continue;
            }
            for (int y = iy - 1; y <= iy + 1; y++) {
                for (int x = ix - 1; x <= ix + 1; x++) {
                    if (x >= 0 && x < m->nx && y >= 0 && y < m->ny) {
                        m->columns[k] = local_index(m, x, y, plane);
                        m->values[k] = m->columns[k] == row ? 27.0 : -1.0;
                        k++;
                    }
                }
            }
        }
        m->row_start[row + 1] = k;
        m->r[row] = 27.0 - (k - m->row_start[row] - 1);
    }
}

static void multiply(const struct problem *m) {
    for (int row = 0; row < m->rows; row++) {
        double sum = 0.0;
        for (int k = m->row_start[row]; k < m->row_start[row + 1]; k++) {
            sum += m->values[k] * m->p[m->columns[k]];
        }
        m->ap[row] = sum;
    }
}

static double dot(int n, const double *a, const double *b) {
    double sum = 0.0;
    double all;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

static void exchange(struct problem *m) {
    MPI_Request requests[4];
    double *ghost = m->p + m->rows;
    double *above = ghost + (m->lower != MPI_PROC_NULL ? m->plane : 0);
    MPI_Irecv(ghost, m->plane, MPI_DOUBLE, m->lower, 99, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(above, m->plane, MPI_DOUBLE, m->upper, 99, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(m->p, m->plane, MPI_DOUBLE, m->lower, 99, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(m->p + m->rows - m->plane, m->plane, MPI_DOUBLE, m->upper, 99, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

static double solve(struct problem *m, int passes) {
    double rtrans = dot(m->rows, m->r, m->r);
    memcpy(m->p, m->r, (size_t)m->rows * sizeof(double));
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    for (int k = 0; k < passes; k++) {
        if (k > 0) {
            double old = rtrans;
            rtrans = dot(m->rows, m->r, m->r);
            double beta = rtrans / old;
            for (int i = 0; i < m->rows; i++) {
                m->p[i] = m->r[i] + beta * m->p[i];
            }
        }
        exchange(m);
        multiply(m);
        double alpha = rtrans / dot(m->rows, m->p, m->ap);
        for (int i = 0; i < m->rows; i++) {
            m->x[i] += alpha * m->p[i];
        }
        for (int i = 0; i < m->rows; i++) {
            m->r[i] -= alpha * m->ap[i];
        }
    }
    return (MPI_Wtime() - start) / passes;
}

JNIEXPORT jdouble JNICALL Java_org_kintsugi_ci_bench_Twins_conjugateGradient(JNIEnv *env, jclass cls, jint nx, jint ny,
                                                                             jint nz, jint passes) {
    (void)env;
    (void)cls;
    int rank;
    int size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    size_t rows = (size_t)nx * (size_t)ny * (size_t)nz;
    struct problem m = {.nx = nx, .ny = ny, .nz = nz, .rows = (int)rows, .plane = nx * ny};
    m.lower = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    m.upper = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    m.row_start = malloc((rows + 1) * sizeof(int));
    m.columns = malloc(rows * 27 * sizeof(int));
    m.values = malloc(rows * 27 * sizeof(double));
    m.x = calloc(rows, sizeof(double));
    m.r = malloc(rows * sizeof(double));
    m.p = malloc((rows + 2 * (size_t)m.plane) * sizeof(double));
    m.ap = malloc(rows * sizeof(double));
    double seconds = -1.0;
    if (m.row_start && m.columns && m.values && m.x && m.r && m.p && m.ap) {
        fill(&m);
        seconds = solve(&m, passes);
    }
    free(m.row_start);
    free(m.columns);
    free(m.values);
    free(m.x);
    free(m.r);
    free(m.p);
    free(m.ap);
    return seconds;
}
