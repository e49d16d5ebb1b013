/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef KINTSUGI_ENVIRONMENT_H
#define KINTSUGI_ENVIRONMENT_H

/* The variables that a process of this job begins with which this one has started, in the form of environ: what this one was
 * started with itself, but for what is of one process only. For the caller to free, as one piece; NULL if it cannot be had. */
char **inherited_variables(void);

#endif
