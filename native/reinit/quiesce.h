/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * Reads all messages of an abandoned epoch that are left in the memory that the ranks of a node share.
 */
#ifndef KINTSUGI_QUIESCE_H
#define KINTSUGI_QUIESCE_H

/* This process takes no part for now; before MPI_Init. */
void quiesce_enrol(void);

/* Adapts the fork's progress turns: this file sees those that find nothing. 0, or an errno value. */
int quiesce_adapt(void);

/* From the next failure on this process takes part; when its restart point is entered for the first time. */
void quiesce_join(void);

/* Called between the fence at which all have stopped sending and the end of the old world.
 * `progress` is one turn of progress; `set_yield` sets whether an idle turn yields the processor
 * (and returns the setting before). */
void quiesce(void (*progress)(void), _Bool (*set_yield)(_Bool));

#endif
