/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * Has the ranks of a node sleep until all of them have reached the same stage of a recovery. Otherwise the early ones would
 * wait inside MPI, and take the cores of the late ones. Only time depends on it: gather.c.
 */
#ifndef KINTSUGI_GATHER_H
#define KINTSUGI_GATHER_H

#include <signal.h>

/* This process begins its way into the next epoch: before MPI_Init, and when it rolls back. */
void gather_begin(void);

/* This process has reached a stage, counted from 1; returns when all others have, when `pending` is set, or after
 * some time. */
void gather(int stage, const volatile sig_atomic_t *pending);

#endif
