/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * C's malloc and free for Java 22 and newer (org.kintsugi.mpi.internal.RawMemory of src/main/java22). The foreign function API
 * can call them, too, but takes 100 ms of each rank's start for the first call.
 */
#include <jni.h>
#include <stdint.h>
#include <stdlib.h>

JNIEXPORT jlong JNICALL Java_org_kintsugi_mpi_internal_RawMemory_malloc(JNIEnv *env, jclass cls, jlong bytes) {
    (void)env, (void)cls;
    return (jlong)(intptr_t)malloc((size_t)bytes);
}

JNIEXPORT void JNICALL Java_org_kintsugi_mpi_internal_RawMemory_release(JNIEnv *env, jclass cls, jlong address) {
    (void)env, (void)cls;
    free((void *)(intptr_t)address);
}
