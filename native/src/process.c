/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * Processes: fault injection needs a real SIGKILL, and the flavour is told by who started this process.
 */
#include "kintsugi.h"

#include <errno.h>
#include <signal.h>
#include <sys/types.h>
#include <unistd.h>

int kintsugi_kill(int pid, int signal) {
    /* 0 and negative ids would reach whole process groups: never what is meant here. */
    if (pid <= 0) {
        return EINVAL;
    }
    return kill((pid_t)pid, signal) == 0 ? 0 : errno;
}

int kintsugi_parent_pid(void) {
    return (int)getppid();
}
