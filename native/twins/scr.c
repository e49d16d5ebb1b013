/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * The benchmark org.kintsugi.ci.bench.ScrBench in C: a program that saves with SCR, as its manual shows. The library is
 * loaded by its path, so that this compiles where SCR is not installed.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <jni.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#define MAX_PATH 1024
#define FLAG_CHECKPOINT 1
#define PIECE ((size_t)1 << 20)

static int write_file(const char *path, const char *data, size_t bytes) {
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0) {
        return -1;
    }
    size_t done = 0;
    while (done < bytes) {
        ssize_t written = write(file, data + done, bytes - done < PIECE ? bytes - done : PIECE);
        if (written <= 0) {
            close(file);
            return -1;
        }
        done += (size_t)written;
    }
    return close(file);
}

JNIEXPORT jint JNICALL Java_org_kintsugi_ci_bench_Twins_scrSaves(JNIEnv *env, jclass cls, jlong library, jlong prefix,
                                                                 jlong image, jlong bytes, jint saves, jlong times) {
    (void)env;
    (void)cls;
    void *scr = dlopen((const char *)(intptr_t)library, RTLD_NOW | RTLD_LOCAL);
    if (scr == NULL) {
        return -1;
    }
    int (*init)(void), (*finalize)(void), (*start)(const char *, int), (*complete)(int);
    int (*route)(const char *, char *);
    *(void **)&init = dlsym(scr, "SCR_Init");
    *(void **)&finalize = dlsym(scr, "SCR_Finalize");
    *(void **)&start = dlsym(scr, "SCR_Start_output");
    *(void **)&complete = dlsym(scr, "SCR_Complete_output");
    *(void **)&route = dlsym(scr, "SCR_Route_file");
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int code = init();
    for (int i = 0; i < saves && code == 0; i++) {
        char name[64], file[MAX_PATH], routed[MAX_PATH];
        double begin = MPI_Wtime();
        snprintf(name, sizeof(name), "twin.%d", i);
        snprintf(file, sizeof(file), "%s/%s/rank-%05d.ckpt", (const char *)(intptr_t)prefix, name, rank);
        code = start(name, FLAG_CHECKPOINT);
        if (code == 0) {
            code = route(file, routed);
        }
        int valid = code == 0 && write_file(routed, (const char *)(intptr_t)image, (size_t)bytes) == 0;
        int completed = complete(valid);
        code = valid ? completed : -1;
        ((double *)(intptr_t)times)[i] = MPI_Wtime() - begin;
    }
    finalize();
    dlclose(scr);
    return code;
}
