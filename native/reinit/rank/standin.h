/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * A process that stands, before the launcher's daemon, for a JVM that is not the daemon's child.
 */
#ifndef KINTSUGI_STANDIN_H
#define KINTSUGI_STANDIN_H

/* Has a warm JVM do what this process was started for, and ends as it ends. Returns if none is to be had: nothing has
 * been given away then, and everything is as it was. */
void stand_in(char **command);

#endif
