/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * org.kintsugi.ci.bench.FtiBench in C: the same FTI, another copy of it, called as a C program calls it: the data are
 * protected where they are, and FTI_Checkpoint is all there is to a save.
 */
#include <dlfcn.h>
#include <jni.h>
#include <mpi.h>
#include <stdint.h>

static int (*save)(int, int);

/* Begins with a configuration file, and protects `bytes` bytes. 0, or what failed: 1 loading, 2
 * FTI_Init, 3 FTI_Protect. */
JNIEXPORT jint JNICALL Java_org_kintsugi_ci_bench_Twins_ftiBegin(JNIEnv *env, jclass cls, jlong library, jlong config,
                                                                 jlong comm, jlong data, jlong bytes) {
    (void)env;
    (void)cls;
    void *fti = dlopen((const char *)(intptr_t)library, RTLD_NOW | RTLD_LOCAL);
    if (fti == NULL) {
        return 1;
    }
    int (*init)(const char *, MPI_Comm);
    int (*protect)(int, void *, int64_t, int);
    *(void **)&init = dlsym(fti, "FTI_Init");
    *(void **)&protect = dlsym(fti, "FTI_Protect");
    *(void **)&save = dlsym(fti, "FTI_Checkpoint");
    int *type = dlsym(fti, "FTI_CHAR");
    if (init == NULL || protect == NULL || save == NULL || type == NULL) {
        return 1;
    }
    if (init((const char *)(intptr_t)config, (MPI_Comm)(intptr_t)comm) != 0) {
        return 2;
    }
    return protect(0, (void *)(intptr_t)data, bytes, *type) == 0 ? 0 : 3;
}

/* Seconds that FTI_Checkpoint took; negative: it failed. */
JNIEXPORT jdouble JNICALL Java_org_kintsugi_ci_bench_Twins_ftiSave(JNIEnv *env, jclass cls, jint id, jint level) {
    enum { FTI_DONE = 1 };
    (void)env;
    (void)cls;
    double start = MPI_Wtime();
    return save(id, level) == FTI_DONE ? MPI_Wtime() - start : -1;
}
