/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * Receives a message that has been matched straight into a Java array, which has a fixed address only while the garbage
 * collector may be held up: org.kintsugi.mpi.ArrayReceive says when that is done.
 *
 * MPI is looked up at run time, as this library is not linked against it (library.c says why).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <jni.h>
#include <mpi.h>
#include <stdint.h>

/* Shared by Java and C: the message's handle, followed by the result. */
struct receive {
    MPI_Message message;
    MPI_Request request;
    int32_t at_once; /* it was complete when it had just been started */
    int32_t unused;
    MPI_Status status;
};

static int (*start)(void *, int, MPI_Datatype, MPI_Message *, MPI_Request *);
static int (*test)(MPI_Request *, int *, MPI_Status *);
static int (*wait)(MPI_Request *, MPI_Status *);

JNIEXPORT jboolean JNICALL Java_org_kintsugi_mpi_ArrayReceive_prepare(JNIEnv *env, jclass cls) {
    (void)env, (void)cls;
    *(void **)&start = dlsym(RTLD_DEFAULT, "MPI_Imrecv");
    *(void **)&test = dlsym(RTLD_DEFAULT, "MPI_Test");
    *(void **)&wait = dlsym(RTLD_DEFAULT, "MPI_Wait");
    return start != NULL && test != NULL && wait != NULL;
}

static int receive(char *to, int count, MPI_Datatype type, struct receive *of) {
    int at_once = 0;
    int code = start(to, count, type, &of->message, &of->request);
    if (code == MPI_SUCCESS) {
        code = test(&of->request, &at_once, &of->status);
    }
    of->at_once = at_once;
    if (code == MPI_SUCCESS && !at_once) {
        code = wait(&of->request, &of->status);
    }
    return code;
}

/* Into an array, from an offset in bytes on; where that is null, to an address. */
JNIEXPORT jint JNICALL Java_org_kintsugi_mpi_ArrayReceive_receive(JNIEnv *env, jclass cls, jobject array, jlong to,
                                                                  jint count, jlong type, jlong place) {
    (void)cls;
    struct receive *of = (struct receive *)(intptr_t)place;
    MPI_Datatype datatype = (MPI_Datatype)(intptr_t)type;
    if (array == NULL) {
        return receive((char *)(intptr_t)to, count, datatype, of);
    }
    char *elements = (*env)->GetPrimitiveArrayCritical(env, array, NULL);
    if (elements == NULL) {
        return MPI_ERR_NO_MEM;
    }
    int code = receive(elements + to, count, datatype, of);
    (*env)->ReleasePrimitiveArrayCritical(env, array, elements, 0);
    return code;
}
