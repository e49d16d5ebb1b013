/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * User-defined reductions in Java.
 *
 * MPI calls an MPI_User_function with two buffers, a count and a datatype, but without anything that says which MPI_Op
 * it stands for. So there is a fixed set of C functions, one per slot, each of which knows its slot by being itself;
 * the Java class org.kintsugi.mpi.internal.Reductions hands the slots out. A slot's function calls
 *
 *     static void Reductions.reduce(int slot, long in, long inOut, int count)
 *
 * Invariants:
 *  - MPI may call it on any thread that makes MPI progress; in this project that is always a thread attached to the
 *    JVM, and a thread that is not attached does nothing (an unattached thread cannot run Java, and attaching one
 *    inside of a collective would leave it attached for good).
 *  - No Java exception leaves the callback pending: Reductions.reduce catches everything and keeps it for the
 *    collective's caller. Should one be pending all the same, it is cleared, so that MPI's C frames never run with
 *    it.
 *  - Nothing is allocated in C and no lock is taken.
 */
#include "kintsugi.h"

#include <jni.h>
#include <mpi.h>
#include <stddef.h>

#ifdef KINTSUGI_REINIT
#include "rollback.h"
#else
/* In this flavour nothing jumps. */
static void kintsugi_callback_begin(void) {
}
static void kintsugi_callback_end(void) {
}
#endif

static JavaVM *java_vm;
static jclass reductions_class;
static jmethodID reduce_method;

/* Called once from Java (Reductions' static initialiser) before any slot is handed out. */
JNIEXPORT jboolean JNICALL Java_org_kintsugi_mpi_internal_Reductions_register(JNIEnv *env, jclass cls) {
    if ((*env)->GetJavaVM(env, &java_vm) != JNI_OK) {
        return JNI_FALSE;
    }
    reduce_method = (*env)->GetStaticMethodID(env, cls, "reduce", "(IJJI)V");
    if (reduce_method == NULL) {
        return JNI_FALSE;
    }
    reductions_class = (jclass)(*env)->NewGlobalRef(env, cls);
    return reductions_class != NULL ? JNI_TRUE : JNI_FALSE;
}

static void reduce(int slot, void *in, void *in_out, int *count) {
    JNIEnv *env = NULL;
    if ((*java_vm)->GetEnv(java_vm, (void **)&env, JNI_VERSION_1_8) != JNI_OK) {
        return;
    }
    kintsugi_callback_begin();
    (*env)->CallStaticVoidMethod(env, reductions_class, reduce_method, (jint)slot, (jlong)(intptr_t)in,
                                 (jlong)(intptr_t)in_out, (jint)*count);
    kintsugi_callback_end();
    if ((*env)->ExceptionCheck(env)) {
        (*env)->ExceptionClear(env);
    }
}

#define SLOT(n)                                                                                                        \
    static void reduce_##n(void *in, void *in_out, int *count, MPI_Datatype *type) {                                   \
        (void)type;                                                                                                    \
        reduce(0##n, in, in_out, count);                                                                               \
    }
/* Octal, so that a slot's number can be glued together from two digits: 00 to 77 are the slots 0 to 63. */
/* clang-format off */
#define SLOTS(m) SLOT(m##0) SLOT(m##1) SLOT(m##2) SLOT(m##3) SLOT(m##4) SLOT(m##5) SLOT(m##6) SLOT(m##7)
SLOTS(0) SLOTS(1) SLOTS(2) SLOTS(3) SLOTS(4) SLOTS(5) SLOTS(6) SLOTS(7)

#define NAMES(m) reduce_##m##0, reduce_##m##1, reduce_##m##2, reduce_##m##3, \
                 reduce_##m##4, reduce_##m##5, reduce_##m##6, reduce_##m##7
static MPI_User_function *const functions[] = {NAMES(0), NAMES(1), NAMES(2), NAMES(3),
                                               NAMES(4), NAMES(5), NAMES(6), NAMES(7)};
/* clang-format on */
_Static_assert(sizeof functions / sizeof functions[0] == KINTSUGI_MAX_REDUCTIONS, "one function per slot");

int64_t kintsugi_reduction_function(int slot) {
    if (slot < 0 || slot >= KINTSUGI_MAX_REDUCTIONS) {
        return 0;
    }
    return (int64_t)(intptr_t)functions[slot];
}
