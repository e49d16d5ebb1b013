/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * Functions that the files of this library share; not bound in Java.
 */
#ifndef KINTSUGI_PROCESS_H
#define KINTSUGI_PROCESS_H

/* Sets the variables that MPI needs in the environment, as far as the user has not set them, before MPI is
 * initialised. */
void kintsugi_prepare_environment(void);

/* Sets the process that counts as this one's parent: the launcher's daemon, where another process started it. */
void kintsugi_set_parent_pid(int pid);

#endif
