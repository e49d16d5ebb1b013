/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * The interface of the Reinit++ fork's extension, declared by hand for the preset org.kintsugi.presets.ReinitPreset.
 */
#ifndef KINTSUGI_REINIT_EXT_H
#define KINTSUGI_REINIT_EXT_H

#ifdef __cplusplus
extern "C" {
#endif

/* How a process came to its restart point. */
#define OMPI_REINIT_NEW 1
#define OMPI_REINIT_REINITED 2
#define OMPI_REINIT_RESTARTED 3

typedef int (*MPI_Restart_point)(int argc, char **argv, int state);

/* Calls the restart point, and calls it anew after each failure; returns the restart point's result. */
int OMPI_Reinit(int argc, char **argv, MPI_Restart_point point);

/* The state of the epoch under way; not before OMPI_Reinit. */
int OMPI_Reinit_state(int *state);

#ifdef __cplusplus
}
#endif

#endif
