/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * Processes: fault injection needs a real SIGKILL, and the parent of this process shows the
 * flavour.
 */
#include "process.h"
#include "kintsugi.h"

#include <errno.h>
#include <signal.h>
#include <sys/types.h>
#include <unistd.h>

int kintsugi_kill(int pid, int signal) {
    /* 0 and negative ids would reach whole process groups, which is never intended here. */
    if (pid <= 0) {
        return EINVAL;
    }
    return kill((pid_t)pid, signal) == 0 ? 0 : errno;
}

int kintsugi_process_id(void) {
    return (int)getpid();
}

static int parent_pid; /* 0: the one that the kernel knows */

void kintsugi_set_parent_pid(int pid) {
    parent_pid = pid;
}

int kintsugi_parent_pid(void) {
    return parent_pid != 0 ? parent_pid : (int)getppid();
}
