/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * MPI_Finalize ends, even if a failure is reported while it runs.
 */
#ifndef KINTSUGI_FINALIZE_H
#define KINTSUGI_FINALIZE_H

/* Adapts the fork's way to remove its handlers of PMIx's events; after MPI_Init. 0, also if that component is not a library
 * of its own, or an errno value. */
int finalize_adapt(void);

#endif
