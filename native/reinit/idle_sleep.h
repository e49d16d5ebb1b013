/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * Has MPI's waiting leave the processors to others for a while.
 */
#ifndef KINTSUGI_IDLE_SLEEP_H
#define KINTSUGI_IDLE_SLEEP_H

/* From now on a wait in MPI sleeps now and then: on the way into an epoch, after MPI_Init.
 * `set_yield` sets whether an idle wait yields the processor (and returns the setting before). */
void idle_sleep_begin(_Bool (*set_yield)(_Bool));

/* The body is about to be entered: sleeps go on in its first collective. */
void idle_sleep_soon_over(void);

#endif
