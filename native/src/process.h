/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * What this library's files need of each other; not bound in Java.
 */
#ifndef KINTSUGI_PROCESS_H
#define KINTSUGI_PROCESS_H

/* What the environment must have before MPI is initialised, as far as the user has not set it. */
void kintsugi_prepare_environment(void);

/* Who is taken for this process's parent from now on: the launcher's daemon, where another process started it. */
void kintsugi_set_parent_pid(int pid);

#endif
