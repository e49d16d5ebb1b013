/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * HPCCG's twin for org.kintsugi.ci.bench.HpccgBench: seconds of one pass, or a negative number if memory runs out.
 */
#include "solver.h"

#include <jni.h>
#include <stdlib.h>

JNIEXPORT jdouble JNICALL Java_org_kintsugi_ci_bench_Twins_conjugateGradient(JNIEnv *env, jclass cls, jint nx, jint ny,
                                                                             jint nz, jint passes) {
    (void)env;
    (void)cls;
    struct hpccg problem;
    double seconds = -1.0;
    double *residuals = malloc(((size_t)passes + 1) * sizeof(double));
    int fits = hpccg_create(&problem, MPI_COMM_WORLD, nx, ny, nz) && residuals;
    MPI_Allreduce(MPI_IN_PLACE, &fits, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (fits) {
        int made = hpccg_solve(&problem, passes + 1, residuals, &seconds);
        seconds /= made;
    }
    hpccg_free(&problem);
    free(residuals);
    return seconds;
}
