/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * The process that keeps warm JVMs on a node.
 */
#ifndef KINTSUGI_NURSERY_H
#define KINTSUGI_NURSERY_H

/* Starts the nursery beside this process, which is the first rank on the node, with `spares` JVMs
 * for this command line. If it cannot be started (an old kernel, no memory), there is none, and
 * ranks start without it. */
void nursery_start(char **command, int spares);

#endif
