/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef KINTSUGI_ENVIRONMENT_H
#define KINTSUGI_ENVIRONMENT_H

/* A parameter of Open MPI that one process only has: its place among those that reach each other by shared memory. */
#define PLACE_VARIABLE "OMPI_MCA_btl_sm_first_place="

/* The environment of a process that this one starts, in the form of environ: the variables that this process was
 * started with, without those of one process only, and one more, which stays the caller's, or NULL. The caller frees the
 * environment, as one piece; NULL if it is not available. */
char **inherited_variables(const char *more);

#endif
