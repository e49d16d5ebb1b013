/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * For tests: preloaded into ranks, it has Open MPI find no place for a message in shared memory, as happens where a program's
 * own messages have taken all of them: the next few times from when the rank agrees or revokes.
 */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    TIMES = 100,
    MODULE_WORDS = 64 /* struct mca_btl_base_module_t has some fifty pointers */
};

/* From Open MPI's btl.h, which is not installed. */
typedef void *alloc_function(void *module, void *endpoint, uint8_t order, size_t size, uint32_t flags);

static alloc_function *original;
static _Atomic int left;

static void *alloc(void *module, void *endpoint, uint8_t order, size_t size, uint32_t flags) {
    return atomic_fetch_sub(&left, 1) > 0 ? NULL : original(module, endpoint, order, size, flags);
}

/* Replaces the function in the module, which is a structure of pointers. */
static void take_places(void) {
    void **module = dlsym(RTLD_DEFAULT, "mca_btl_sm");
    original = (alloc_function *)dlsym(RTLD_DEFAULT, "mca_btl_sm_alloc");
    for (int i = 0; module != NULL && original != NULL && i < MODULE_WORDS; i++) {
        if (module[i] == (void *)original || module[i] == (void *)alloc) {
            module[i] = (void *)alloc;
            atomic_store(&left, TIMES);
            return;
        }
    }
    fprintf(stderr, "full_shared_memory: this Open MPI keeps its function elsewhere\n");
    exit(1);
}

int MPIX_Comm_agree(void *comm, int *flag) {
    take_places();
    return ((int (*)(void *, int *))dlsym(RTLD_NEXT, "MPIX_Comm_agree"))(comm, flag);
}

int MPIX_Comm_revoke(void *comm) {
    take_places();
    return ((int (*)(void *))dlsym(RTLD_NEXT, "MPIX_Comm_revoke"))(comm);
}
