/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * For tests: preloaded into ranks, it delays each wait of MPI_THREAD_MULTIPLE between the test of its requests for
 * failures and the moment when it is on the list of waits that a failure wakes up.
 */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

enum { LONGEST_MICROS = 20000 };

typedef int wait_function(void *sync);

int ompi_sync_wait_mt(void *sync) {
    static wait_function *_Atomic original;
    static _Thread_local unsigned seed;
    wait_function *found = atomic_load(&original);
    if (found == NULL) {
        found = (wait_function *)dlsym(RTLD_NEXT, "ompi_sync_wait_mt");
        atomic_store(&original, found);
    }
    if (seed == 0) {
        seed = (unsigned)(size_t)&seed >> 6;
    }
    usleep((unsigned)rand_r(&seed) % LONGEST_MICROS);
    return found(sync);
}
