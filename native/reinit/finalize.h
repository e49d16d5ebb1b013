/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * MPI_Finalize ends, even if a failure is reported while it runs.
 */
#ifndef KINTSUGI_FINALIZE_H
#define KINTSUGI_FINALIZE_H

/* After MPI_Init. 0, or an errno value. */
int finalize_adopt(void);

#endif
