/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * The TCP connections between ranks, from one epoch to the next.
 */
#ifndef KINTSUGI_LINKS_H
#define KINTSUGI_LINKS_H

/* Adapts the socket calls of the fork's TCP transport; after MPI_Init. 0, also if the transport is not loaded as a library of
 * its own, or an errno value. */
int links_adapt(void);

/* An epoch begins: a connection that breaks from now on falls silent. `progress` is one progress turn. */
void links_begin(void (*progress)(void));

/* The epoch is abandoned: nothing of it is sent any more. */
void links_abandon(void);

/* The old world is about to be destroyed, or there will be no other: sockets behave as usual again. */
void links_release(void);

#endif
