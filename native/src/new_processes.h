/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef KINTSUGI_NEW_PROCESSES_H
#define KINTSUGI_NEW_PROCESSES_H

#include <pmix.h>

/* Ends the waits for data of a process that has failed. From any thread. */
void new_processes_end_gets_of(const pmix_proc_t *process);

#endif
