/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * C's malloc and free for Java 22 and newer (org.kintsugi.mpi.internal.memory.RawMemory of src/main/java22). The foreign function API
 * can call them, too, but takes 100 ms of each rank's start for the first call. And for all: huge pages and pages that the
 * kernel may reclaim (Memory), and buffers of any memory (MemoryView).
 */
#include <jni.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

JNIEXPORT jlong JNICALL Java_org_kintsugi_mpi_internal_memory_RawMemory_malloc(JNIEnv *env, jclass cls, jlong bytes) {
    (void)env, (void)cls;
    return (jlong)(intptr_t)malloc((size_t)bytes);
}

JNIEXPORT void JNICALL Java_org_kintsugi_mpi_internal_memory_RawMemory_release(JNIEnv *env, jclass cls, jlong address) {
    (void)env, (void)cls;
    free((void *)(intptr_t)address);
}

enum { HUGE_PAGE_BYTES = 2 << 20 };

// The whole huge pages inside of a block. A kernel that has none refuses, and the block stays as it is.
JNIEXPORT void JNICALL Java_org_kintsugi_mpi_internal_memory_Memory_preferHugePages(JNIEnv *env, jclass cls,
                                                                                    jlong address, jlong bytes) {
    (void)env, (void)cls;
    uintptr_t first = ((uintptr_t)address + HUGE_PAGE_BYTES - 1) / HUGE_PAGE_BYTES * HUGE_PAGE_BYTES;
    uintptr_t end = ((uintptr_t)address + (uintptr_t)bytes) / HUGE_PAGE_BYTES * HUGE_PAGE_BYTES;
    if (first < end) {
        (void)madvise((void *)first, end - first, MADV_HUGEPAGE);
    }
}

// Only whole pages inside of the block: the allocator's own data are beside it.
JNIEXPORT jboolean JNICALL Java_org_kintsugi_mpi_internal_memory_Memory_reclaimable(JNIEnv *env, jclass cls,
                                                                                    jlong address, jlong bytes) {
    (void)env, (void)cls;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = ((uintptr_t)address + page - 1) / page * page;
    uintptr_t end = ((uintptr_t)address + (uintptr_t)bytes) / page * page;
    return first < end && madvise((void *)first, end - first, MADV_FREE) == 0;
}

// NULL, with an exception, where the JVM has no memory for the object.
JNIEXPORT jobject JNICALL Java_org_kintsugi_mpi_internal_memory_MemoryView_at(JNIEnv *env, jclass cls, jlong address,
                                                                              jlong bytes) {
    (void)cls;
    return (*env)->NewDirectByteBuffer(env, (void *)(intptr_t)address, bytes);
}
