/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * The benchmark of MPIX_Comm_revoke (org.kintsugi.examples.experiments.revoke.RevokeMeasurement) in C: the steps are
 * the same, line by line.
 */
#include <jni.h>
#include <mpi.h>

/* Needs mpi.h before it. */
#include <mpi-ext.h>

#include <stdint.h>

enum { BEFORE = 10, AFTER = 5 };

static int collective(MPI_Comm comm, void *send, void *receive, int count) {
    return count == 0 ? MPI_Barrier(comm) : MPI_Allreduce(send, receive, count, MPI_DOUBLE, MPI_SUM, comm);
}

/*
 * Plan A until it is revoked, then plan B. Writes seconds: the last collective on plan A, the one that is revoked (of the
 * initiator: the call that revokes), and the first ones on plan B. A rank may still be in the last collective on plan A when
 * the initiator has left it: then that one is revoked. Returns the number of calls with an unexpected result.
 */
JNIEXPORT jint JNICALL Java_org_kintsugi_examples_experiments_revoke_RevokeTwin_revoke(JNIEnv *env, jclass cls,
                                                                                       jlong plan_a, jlong plan_b,
                                                                                       jlong send, jlong receive,
                                                                                       jint count, jint initiator,
                                                                                       jlong to) {
    (void)env;
    (void)cls;
    MPI_Comm a = (MPI_Comm)(intptr_t)plan_a;
    MPI_Comm b = (MPI_Comm)(intptr_t)plan_b;
    void *from = (void *)(intptr_t)send;
    void *into = (void *)(intptr_t)receive;
    double *seconds = (double *)(intptr_t)to;
    int rank, code, class, unexpected = 0;
    double time = 0;
    MPI_Comm_rank(a, &rank);
    for (int i = 0;; i++) {
        double start = MPI_Wtime();
        code = i == BEFORE && rank == initiator ? MPIX_Comm_revoke(a) : collective(a, from, into, count);
        double last = time;
        time = MPI_Wtime() - start;
        MPI_Error_class(code, &class);
        if (code != MPI_SUCCESS || i == BEFORE) {
            seconds[0] = last;
            seconds[1] = time;
            unexpected += class != (rank == initiator ? MPI_SUCCESS : MPIX_ERR_REVOKED);
            break;
        }
    }
    for (int i = 0; i < AFTER; i++) {
        double start = MPI_Wtime();
        unexpected += collective(b, from, into, count) != MPI_SUCCESS;
        seconds[2 + i] = MPI_Wtime() - start;
    }
    return unexpected;
}
