/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * kintsugi-rank JAVA jvm-options... Main arguments...: what the launcher starts in each rank's place.
 *
 * In the Reinit++ fork of Open MPI the launcher's daemon starts a dead rank's command line again,
 * with OMPI_PROC_RESTART in its environment, and all others wait for the replacement. Most of that
 * wait is the start of a JVM. So with -Dkintsugi.spares=N, N > 0, the first rank on each node
 * starts a process that keeps N JVMs started and waiting (nursery.c), and a replacement has one of
 * them do its work (standin.c). On a node that was empty until another one was lost there is none
 * yet: the first replacement starts it. In all other cases, and after any error, this program becomes
 * java: the same process, with the same arguments, environment and descriptors.
 *
 * Invariant: SIGUSR1, by which the daemon reports a failure, is ignored from here on until the
 * program installs its handler just before MPI_Init. Its default action would kill a replacement, and
 * before MPI_Init there is nothing to roll back. It is also blocked, in all threads that the JVM
 * makes as well. Only the thread that calls MPI unblocks it, so that the kernel delivers it to that
 * thread directly (native/reinit/rollback.c).
 */
#include "command.h"
#include "nursery.h"
#include "standin.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: kintsugi-rank JAVA [JVM options] Main [arguments]\n");
        return 2;
    }
    char **command = argv + 1;
    signal(SIGUSR1, SIG_IGN);
    sigset_t rollback;
    sigemptyset(&rollback);
    sigaddset(&rollback, SIGUSR1);
    sigprocmask(SIG_BLOCK, &rollback, NULL);
    int spares = command_spares(command);
    if (spares > 0) {
        const char *local_rank = getenv("OMPI_COMM_WORLD_LOCAL_RANK");
        if (getenv("OMPI_PROC_RESTART") != NULL) {
            stand_in(command);
            nursery_start(command, spares); /* does nothing where there is one */
        } else if (local_rank != NULL && strcmp(local_rank, "0") == 0) {
            nursery_start(command, spares);
        }
    }
    execvp(command[0], command);
    fprintf(stderr, "kintsugi-rank: cannot start %s: %s\n", command[0], strerror(errno));
    return errno == ENOENT ? 127 : 126;
}
