/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * For tests: preloaded into ranks, it has Open MPI register its handlers of PMIx events after Kintsugi's (src/process_failures.c), as
 * happens by chance on a busy machine. Open MPI's first one is for all events and names no codes; Kintsugi's names them.
 */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

/* The types of pmix.h, which not every Open MPI brings along. */
typedef int register_function(int codes[], size_t ncodes, void *info, size_t ninfo, void *handler, void *registered,
                              void *data);

enum { LIMIT_MILLIS = 10000 };

static _Atomic int others; /* calls that have returned for handlers with codes */

int PMIx_Register_event_handler(int codes[], size_t ncodes, void *info, size_t ninfo, void *handler, void *registered,
                                void *data) {
    register_function *original = (register_function *)dlsym(RTLD_NEXT, "PMIx_Register_event_handler");
    const struct timespec millisecond = {.tv_nsec = 1000000};
    for (int i = 0; codes == NULL && atomic_load(&others) == 0 && i < LIMIT_MILLIS; i++) {
        nanosleep(&millisecond, NULL);
    }
    int status = original(codes, ncodes, info, ninfo, handler, registered, data);
    if (codes != NULL) {
        atomic_fetch_add(&others, 1);
    }
    return status;
}
