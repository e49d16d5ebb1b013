/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * Shared memory that a replacement does not inherit from the failed process (segment.c).
 */
#ifndef KINTSUGI_SEGMENT_H
#define KINTSUGI_SEGMENT_H

/* Removes the name of the failed process's segment of shared memory, so that MPI_Init makes a new one. Before MPI_Init. Does
 * nothing if no file has this name. */
void segment_disown(void);

#endif
