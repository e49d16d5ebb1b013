/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * User-defined reductions in Java.
 *
 * MPI calls an MPI_User_function with two buffers, a count and a datatype, but without anything that says which MPI_Op
 * it stands for. So there is a fixed set of C functions, one per slot, each of which knows its slot by being itself;
 * the Java class org.kintsugi.mpi.internal.calls.Reductions hands the slots out. A slot's function calls
 *
 *     static void Reductions.reduce(int slot, long in, long inOut, int count, long type)
 *
 * MPI_User_function has no way to report an error. So Kintsugi's own collectives do not hand the program's elements to
 * MPI but marked ones: the packed data of an element, and one byte more, its mark, which is not 0 if the operation threw
 * for an operand of it on any process. Each result carries its mark to the process that gets it. Their datatype is the slot's
 * (marked_types); with another one, from the raw bindings, there are no marks.
 *
 * Invariants:
 *  - MPI may call it on any thread that makes MPI progress. A thread that the JVM does not know (of another library in
 *    this process, say) is attached for the call; if that fails, the results are marked.
 *  - No Java exception leaves the callback pending: Reductions.reduce catches everything, marks the results, and keeps
 *    it for the collective's caller. Should one be pending all the same, it is cleared and the results are marked, so
 *    that MPI's C frames never run with it.
 *  - Nothing is allocated in C and no lock is taken.
 */
#include "kintsugi.h"

#include <jni.h>
#include <mpi.h>
#include <stddef.h>
#include <string.h>

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
static MPI_Datatype marked_types[KINTSUGI_MAX_REDUCTIONS]; /* of each slot; 0: none */

/* Called once from Java (Reductions' static initialiser) before any slot is handed out. */
JNIEXPORT jboolean JNICALL Java_org_kintsugi_mpi_internal_calls_Reductions_register(JNIEnv *env, jclass cls) {
    if ((*env)->GetJavaVM(env, &java_vm) != JNI_OK) {
        return JNI_FALSE;
    }
    reduce_method = (*env)->GetStaticMethodID(env, cls, "reduce", "(IJJIJ)V");
    if (reduce_method == NULL) {
        return JNI_FALSE;
    }
    reductions_class = (jclass)(*env)->NewGlobalRef(env, cls);
    return reductions_class != NULL ? JNI_TRUE : JNI_FALSE;
}

JNIEXPORT void JNICALL Java_org_kintsugi_mpi_internal_calls_Reductions_setMarkedType(JNIEnv *env, jclass cls, jint slot,
                                                                                     jlong type) {
    (void)env, (void)cls;
    marked_types[slot] = (MPI_Datatype)(intptr_t)type;
}

/* Sets the marks of marked elements with `bytes` bytes of data each. */
static void mark(unsigned char *marked, int64_t count, int64_t bytes) {
    for (int64_t i = 0; i < count; i++) {
        marked[i * (bytes + 1) + bytes] = 1;
    }
}

JNIEXPORT void JNICALL Java_org_kintsugi_mpi_internal_calls_Reductions_mark(JNIEnv *env, jclass cls, jlong marked,
                                                                            jlong count, jlong bytes) {
    (void)env, (void)cls;
    mark((unsigned char *)(intptr_t)marked, count, bytes);
}

JNIEXPORT jboolean JNICALL Java_org_kintsugi_mpi_internal_calls_Reductions_isAnyMarked(JNIEnv *env, jclass cls,
                                                                                       jlong marked, jlong count,
                                                                                       jlong bytes) {
    (void)env, (void)cls;
    const unsigned char *elements = (const unsigned char *)(intptr_t)marked;
    for (int64_t i = 0; i < count; i++) {
        if (elements[i * (bytes + 1) + bytes] != 0) {
            return JNI_TRUE;
        }
    }
    return JNI_FALSE;
}

/* From packed data to marked elements. The marks are those of other marked elements, and what they are already; 0 for
 * both: none. */
JNIEXPORT void JNICALL Java_org_kintsugi_mpi_internal_calls_Reductions_fill(JNIEnv *env, jclass cls, jlong marked,
                                                                            jlong data, jlong count, jlong bytes,
                                                                            jlong marks) {
    (void)env, (void)cls;
    unsigned char *to = (unsigned char *)(intptr_t)marked;
    const unsigned char *from = (const unsigned char *)(intptr_t)data;
    const unsigned char *others = (const unsigned char *)(intptr_t)marks;
    for (int64_t i = 0; i < count; i++) {
        memcpy(to, from, (size_t)bytes);
        from += bytes;
        to += bytes;
        if (others == NULL) {
            *to = 0;
        } else {
            others += bytes;
            *to |= *others++;
        }
        to++;
    }
}

/* From marked elements to packed data. */
JNIEXPORT void JNICALL Java_org_kintsugi_mpi_internal_calls_Reductions_extract(JNIEnv *env, jclass cls, jlong marked,
                                                                               jlong data, jlong count, jlong bytes) {
    (void)env, (void)cls;
    const unsigned char *from = (const unsigned char *)(intptr_t)marked;
    unsigned char *to = (unsigned char *)(intptr_t)data;
    for (int64_t i = 0; i < count; i++) {
        memcpy(to, from, (size_t)bytes);
        to += bytes;
        from += bytes + 1;
    }
}

/* The Java method has not run, or not to its end. */
static void spoil(int slot, void *in_out, int count, MPI_Datatype type) {
    int size = 0;
    if (type == marked_types[slot] && MPI_Type_size(type, &size) == MPI_SUCCESS) {
        mark(in_out, count, size - 1);
    }
}

static void reduce(int slot, void *in, void *in_out, int count, MPI_Datatype type) {
    JNIEnv *env = NULL;
    int is_stranger = (*java_vm)->GetEnv(java_vm, (void **)&env, JNI_VERSION_1_8) != JNI_OK;
    if (is_stranger && (*java_vm)->AttachCurrentThreadAsDaemon(java_vm, (void **)&env, NULL) != JNI_OK) {
        spoil(slot, in_out, count, type);
        return;
    }
    kintsugi_callback_begin();
    (*env)->CallStaticVoidMethod(env, reductions_class, reduce_method, (jint)slot, (jlong)(intptr_t)in,
                                 (jlong)(intptr_t)in_out, (jint)count, (jlong)(intptr_t)type);
    kintsugi_callback_end();
    if ((*env)->ExceptionCheck(env)) {
        (*env)->ExceptionClear(env);
        spoil(slot, in_out, count, type);
    }
    if (is_stranger) {
        /* It may end without telling the JVM, which would keep it for good. */
        (*java_vm)->DetachCurrentThread(java_vm);
    }
}

#define SLOT(n)                                                                                                        \
    static void reduce_##n(void *in, void *in_out, int *count, MPI_Datatype *type) {                                   \
        reduce(0##n, in, in_out, *count, *type);                                                                       \
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

/*
 * MPI_SUM of 16-bit integers. That of Open MPI (op/avx, 4.1 to 5.0.10) saturates where it has vector instructions, and
 * wraps around in the rest of the elements.
 */
static void sum_of_16_bits(void *in, void *in_out, int *count, MPI_Datatype *type) {
    (void)type;
    const uint16_t *from = in;
    uint16_t *to = in_out;
    for (int i = 0; i < *count; i++) {
        to[i] = (uint16_t)(to[i] + from[i]);
    }
}

int64_t kintsugi_sum_of_16_bits(void) {
    return (int64_t)(intptr_t)sum_of_16_bits;
}

int64_t kintsugi_reduction_function(int slot) {
    if (slot < 0 || slot >= KINTSUGI_MAX_REDUCTIONS) {
        return 0;
    }
    return (int64_t)(intptr_t)functions[slot];
}
