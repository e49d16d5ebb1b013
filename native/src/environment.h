/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef KINTSUGI_ENVIRONMENT_H
#define KINTSUGI_ENVIRONMENT_H

/* The environment of a process that this one starts, in the form of environ: the variables that this process was
 * started with, without those of one process only. The caller frees it, as one piece; NULL if it is not available. */
char **inherited_variables(void);

#endif
