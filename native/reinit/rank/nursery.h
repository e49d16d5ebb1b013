/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * The process that keeps warm JVMs on a node.
 */
#ifndef KINTSUGI_NURSERY_H
#define KINTSUGI_NURSERY_H

/* Starts it beside this process, which is to be the first rank on the node: so many JVMs for this command line. Where
 * it cannot be had (an old kernel, no memory), there is none, and ranks start as ever. */
void nursery_start(char **command, int spares);

#endif
