/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * For tests: preloaded into jmpirun and what it starts, it makes the standard output nonblocking, as some terminals and
 * programs do that share it. Only where mpirun has it: all processes that have the same output share this.
 */
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

__attribute__((constructor)) static void make_nonblocking(void) {
    const char *name = program_invocation_short_name;
    if (strcmp(name, "mpirun") == 0 || strcmp(name, "prterun") == 0) {
        int flags = fcntl(STDOUT_FILENO, F_GETFL);
        if (flags >= 0) {
            fcntl(STDOUT_FILENO, F_SETFL, flags | O_NONBLOCK);
        }
    }
}
