/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * The micro-benchmarks of org.kintsugi.ci.bench.MessageBench in C: the loops are the same, line by line.
 */
#include <jni.h>
#include <mpi.h>
#include <stdint.h>

/* Ranks 0 and 1 send a message to and fro; the others do nothing. Returns seconds for all rounds. */
JNIEXPORT jdouble JNICALL Java_org_kintsugi_ci_bench_Twins_pingPong(JNIEnv *env, jclass cls, jlong buffer, jint bytes,
                                                                    jint rounds, jint rank) {
    (void)env;
    (void)cls;
    void *data = (void *)(intptr_t)buffer;
    double start = MPI_Wtime();
    for (int i = 0; i < rounds; i++) {
        if (rank == 0) {
            MPI_Send(data, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
            MPI_Recv(data, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(data, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(data, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
        }
    }
    return MPI_Wtime() - start;
}

JNIEXPORT jdouble JNICALL Java_org_kintsugi_ci_bench_Twins_allReduce(JNIEnv *env, jclass cls, jlong send, jlong receive,
                                                                     jint count, jint rounds) {
    (void)env;
    (void)cls;
    double start = MPI_Wtime();
    for (int i = 0; i < rounds; i++) {
        MPI_Allreduce((void *)(intptr_t)send, (void *)(intptr_t)receive, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    return MPI_Wtime() - start;
}

/* Rank 0 sends windows of nonblocking messages to rank 1, which answers each window with an empty message. */
JNIEXPORT jdouble JNICALL Java_org_kintsugi_ci_bench_Twins_stream(JNIEnv *env, jclass cls, jlong buffer, jint bytes,
                                                                  jint rounds, jint rank) {
    enum { WINDOW = 16 };
    (void)env;
    (void)cls;
    char *data = (char *)(intptr_t)buffer;
    MPI_Request requests[WINDOW];
    double start = MPI_Wtime();
    for (int i = 0; i < rounds; i++) {
        for (int w = 0; w < WINDOW; w++) {
            if (rank == 0) {
                MPI_Isend(data, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &requests[w]);
            } else {
                MPI_Irecv(data + (size_t)w * bytes, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &requests[w]);
            }
        }
        MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
        if (rank == 0) {
            MPI_Recv(data, 0, MPI_BYTE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Send(data, 0, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
        }
    }
    return MPI_Wtime() - start;
}
