/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * The twin of org.kintsugi.ci.bench.CheckpointBench: the least that a save can be in C.
 */
#include <fcntl.h>
#include <jni.h>
#include <mpi.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

/* The data to a copy of their own, and that to the partner, whose copy comes in. Returns seconds. */
JNIEXPORT jdouble JNICALL Java_org_kintsugi_ci_bench_Twins_memorySave(JNIEnv *env, jclass cls, jlong data, jlong own,
                                                                      jlong held, jint bytes, jint holder, jint owner) {
    (void)env;
    (void)cls;
    double start = MPI_Wtime();
    memcpy((void *)(intptr_t)own, (const void *)(intptr_t)data, (size_t)bytes);
    MPI_Sendrecv((const void *)(intptr_t)own, bytes, MPI_BYTE, holder, 1, (void *)(intptr_t)held, bytes, MPI_BYTE,
                 owner, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Wtime() - start;
}

/* The data over what the file has of the turn before, synced. Returns seconds, or a negative number if that failed. */
JNIEXPORT jdouble JNICALL Java_org_kintsugi_ci_bench_Twins_fileSave(JNIEnv *env, jclass cls, jlong path, jlong data,
                                                                    jlong bytes) {
    (void)env;
    (void)cls;
    double start = MPI_Wtime();
    int file = open((const char *)(intptr_t)path, O_WRONLY | O_CREAT, 0600);
    if (file < 0) {
        return -1;
    }
    const char *from = (const char *)(intptr_t)data;
    for (int64_t at = 0; at < bytes;) {
        int64_t piece = bytes - at < (1 << 20) ? bytes - at : (1 << 20);
        ssize_t written = write(file, from + at, (size_t)piece);
        if (written <= 0) {
            close(file);
            return -1;
        }
        at += written;
    }
    int synced = fsync(file);
    if (close(file) != 0 || synced != 0) {
        return -1;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Wtime() - start;
}
