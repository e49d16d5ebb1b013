/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * Shared memory that a replacement does not inherit from the failed process (segment.c).
 */
#ifndef KINTSUGI_SEGMENT_H
#define KINTSUGI_SEGMENT_H

/* Before MPI_Init. */
void segment_disown(void);

#endif
