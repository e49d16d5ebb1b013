/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * For tests: preloaded into the fork's mpirun, it makes sure of two races that a loaded machine loses now and then, so
 * that what launcher.c and wakeup.c do against them can be seen to be needed and to be enough. KINTSUGI_DELAY names the
 * one:
 *
 *   message    mpirun puts its own copy of what it sends to all daemons into its queue a tenth of a second late
 *   loop       a thread for PMIx's events enters its loop twenty milliseconds after it has looked whether it is to end
 */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MESSAGE_MICROS 100000
#define LOOP_MICROS 20000

typedef int assign_function(void *event, void *base, int fd, short what, void (*callback)(int, short, void *),
                            void *argument);
typedef int loop_function(void *base, int flags);

/* Whether this race is requested, in mpirun, by a caller in a library of that name. */
static int is_asked_for(const char *race, const char *library, void *caller) {
    const char *asked = getenv("KINTSUGI_DELAY");
    Dl_info info;
    return asked != NULL && strcmp(asked, race) == 0 && strcmp(program_invocation_short_name, "mpirun") == 0 &&
           dladdr(caller, &info) != 0 && strstr(info.dli_fname, library) != NULL;
}

/* libevent's functions, by their names in the fork's own copy and in the system's. */
#define DELAYED(assign, loop)                                                                                          \
    int assign(void *event, void *base, int fd, short what, void (*callback)(int, short, void *), void *argument);     \
    int loop(void *base, int flags);                                                                                   \
    int assign(void *event, void *base, int fd, short what, void (*callback)(int, short, void *), void *argument) {    \
        assign_function *original = (assign_function *)dlsym(RTLD_NEXT, #assign);                                      \
        if (is_asked_for("message", "mca_grpcomm_direct", __builtin_return_address(0))) {                              \
            usleep(MESSAGE_MICROS);                                                                                    \
        }                                                                                                              \
        return original(event, base, fd, what, callback, argument);                                                    \
    }                                                                                                                  \
    int loop(void *base, int flags) {                                                                                  \
        loop_function *original = (loop_function *)dlsym(RTLD_NEXT, #loop);                                            \
        if (gettid() != getpid() && is_asked_for("loop", "mca_pmix", __builtin_return_address(0))) {                   \
            usleep(LOOP_MICROS);                                                                                       \
        }                                                                                                              \
        return original(base, flags);                                                                                  \
    }

DELAYED(opal_libevent2022_event_assign, opal_libevent2022_event_base_loop)
DELAYED(event_assign, event_base_loop)
