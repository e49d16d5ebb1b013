/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * C's malloc and free for Java 22 and newer (org.kintsugi.mpi.internal.memory.RawMemory of src/main/java22). The foreign function API
 * can call them, too, but takes 100 ms of each rank's start for the first call. And for all: huge pages and pages that the
 * kernel may reclaim (Memory), copies of elements with gaps (Memory), and buffers of any memory (MemoryView).
 */
#include <jni.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
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

// Copies runs of `bytes` bytes at equal distances. A constant length becomes a load and a store.
static void copy_at_distances(char *to, int64_t to_step, const char *from, int64_t from_step, int64_t count,
                              int64_t bytes) {
#define RUNS(length)                                                                                                   \
    for (int64_t i = 0; i < count; i++) {                                                                              \
        memcpy(to + i * to_step, from + i * from_step, (size_t)(length));                                              \
    }
    switch (bytes) {
    case 2:
        RUNS(2) break;
    case 4:
        RUNS(4) break;
    case 8:
        RUNS(8) break;
    case 12:
        RUNS(12) break;
    case 16:
        RUNS(16) break;
    case 32:
        RUNS(32) break;
    default:
        RUNS(bytes) break;
    }
#undef RUNS
}

// Between elements, in an array from an offset on or (NULL) at an address, and a block that has their runs one after the other.
// Each element has the runs that `runs` names: an offset and a length each. The array is at a fixed address meanwhile, which
// delays the garbage collector: the caller copies a limited number of bytes at once.
JNIEXPORT void JNICALL Java_org_kintsugi_mpi_internal_memory_Memory_copyRuns(JNIEnv *env, jclass cls, jobject array,
                                                                             jlong offset, jlong step, jlong count,
                                                                             jlongArray runs, jlong block, jlong size,
                                                                             jboolean to_elements) {
    (void)cls;
    int64_t number = (*env)->GetArrayLength(env, runs) / 2;
    // NULL, with an OutOfMemoryError, from a JVM that would have to copy the array; HotSpot does not.
    int64_t *list = (*env)->GetPrimitiveArrayCritical(env, runs, NULL);
    if (list == NULL) {
        return;
    }
    char *base = array == NULL ? NULL : (*env)->GetPrimitiveArrayCritical(env, array, NULL);
    if (array != NULL && base == NULL) {
        (*env)->ReleasePrimitiveArrayCritical(env, runs, list, JNI_ABORT);
        return;
    }
    char *element = (char *)((intptr_t)base + offset);
    char *packed = (char *)(intptr_t)block;
    for (int64_t i = 0; i < number; i++) {
        int64_t bytes = list[2 * i + 1];
        if (to_elements) {
            copy_at_distances(element + list[2 * i], step, packed, size, count, bytes);
        } else {
            copy_at_distances(packed, size, element + list[2 * i], step, count, bytes);
        }
        packed += bytes;
    }
    if (base != NULL) {
        (*env)->ReleasePrimitiveArrayCritical(env, array, base, to_elements ? 0 : JNI_ABORT);
    }
    (*env)->ReleasePrimitiveArrayCritical(env, runs, list, JNI_ABORT);
}

// NULL, with an exception, where the JVM has no memory for the object.
JNIEXPORT jobject JNICALL Java_org_kintsugi_mpi_internal_memory_MemoryView_at(JNIEnv *env, jclass cls, jlong address,
                                                                              jlong bytes) {
    (void)cls;
    return (*env)->NewDirectByteBuffer(env, (void *)(intptr_t)address, bytes);
}
