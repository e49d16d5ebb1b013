/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * Each rank has a segment of shared memory (the BTL vader), in which the other ranks of its node queue what they send to
 * it. The segment is a file whose name says host, job and local rank, but not process, so a replacement has the same
 * name as the failed process, and the fork opens the file that is there: the same memory.
 *
 * A survivor that has not been notified of the failure yet, because it is stopped (SIGSTOP) or
 * slow, goes on sending to the failed process by the mapping that it has. In the same memory its
 * fragments would reach the replacement, which crashes on them in MPI_Init
 * (mca_pml_ob1_recv_frag_callback_fin), or takes them for messages of the new epoch.
 *
 * So the name is removed before MPI_Init. The file that the fork makes then is another one, and what survivors write to
 * the old one is read by nobody.
 */
#define _GNU_SOURCE
#include "segment.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void remove_name(const char *folder, const char *host, unsigned long job, const char *local_rank) {
    char path[PATH_MAX];
    int bytes = snprintf(path, sizeof path, "%s/vader_segment.%s.%lx.%s", folder, host, job, local_rank);
    if (bytes > 0 && (size_t)bytes < sizeof path) {
        unlink(path); /* usually there is none: only a replacement has a predecessor */
    }
}

void segment_disown(void) {
    const char *job = getenv("PMIX_NAMESPACE");
    const char *local_rank = getenv("OMPI_COMM_WORLD_LOCAL_RANK");
    const char *folder = getenv("OMPI_MCA_btl_vader_backing_directory");
    char host[HOST_NAME_MAX + 1] = "";
    if (job == NULL || local_rank == NULL || gethostname(host, sizeof host - 1) != 0) {
        return;
    }
    folder = folder == NULL ? "/dev/shm" : folder; /* the fork's default on Linux */
    unsigned long number = strtoul(job, NULL, 10);
    remove_name(folder, host, number, local_rank);
    char *domain = strchr(host, '.');
    if (domain != NULL) { /* the fork may leave the domain out */
        *domain = '\0';
        remove_name(folder, host, number, local_rank);
    }
}
