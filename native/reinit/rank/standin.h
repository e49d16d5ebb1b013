/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * A process that stands, before the launcher's daemon, for a JVM that is not the daemon's child.
 */
#ifndef KINTSUGI_STANDIN_H
#define KINTSUGI_STANDIN_H

/* Has a warm JVM do this process's work, and ends as it ends. Returns if there is none: nothing has been handed over
 * then, and the process is as it was. */
void stand_in(char **command);

#endif
