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

/* Calls the restart point, and calls it anew after each failure; returns the restart point's result. Collective, once in a
 * process, after MPI_Init. It jumps over the frames of the restart point's callees: a JVM uses kintsugi_reinit_enter
 * (rollback.h). */
int OMPI_Reinit(int argc, char **argv, MPI_Restart_point point);

/* Stores how this process came to the present call of the restart point; not before OMPI_Reinit. MPI_SUCCESS, or MPI's code. */
int OMPI_Reinit_state(int *state);

#ifdef __cplusplus
}
#endif

#endif
