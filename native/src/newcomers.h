/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef KINTSUGI_NEWCOMERS_H
#define KINTSUGI_NEWCOMERS_H

#include <pmix.h>

/* Ends the waits for data of a process that has died. From any thread. */
void newcomers_end_gets_of(const pmix_proc_t *process);

#endif
