/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * FTI's library, and the way out of it when a process dies inside one of its functions: fti/fti.c. For one thread, the
 * one that calls MPI.
 */
#ifndef KINTSUGI_FTI_GUARD_H
#define KINTSUGI_FTI_GUARD_H

#include <mpi.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* FTI keeps its state in global variables. So its library is loaded in this number of instances,
 * each with its own variables. */
#define KINTSUGI_FTI_INSTANCES 2

/* Selects the instance of all following calls, and loads it if need be. 0, or an errno value: kintsugi_fti_problem. */
int kintsugi_fti_use(int instance);

/* Why kintsugi_fti_use failed. */
const char *kintsugi_fti_problem(void);

/* Must be called with the communicator for FTI_Init: an error in any communicator that FTI makes
 * from it then ends FTI's function. MPI_SUCCESS, or MPI's code. */
int kintsugi_fti_arm(MPI_Comm global);

/* Gives the error handler of kintsugi_fti_arm to a communicator that FTI has made and that has lost it. */
int kintsugi_fti_rearm(MPI_Comm comm);

/* MPI's code of the error that ended the last call, or 0: the function returned by itself. */
int kintsugi_fti_interrupted(void);

/* FTI's communicators, made from that of kintsugi_fti_arm: 0 FTI_COMM_WORLD, 1 the group's. NULL: not there. */
MPI_Comm kintsugi_fti_communicator(int which);

/* After an interrupted call: turns files that FTI has left open in a folder into /dev/null.
 * Returns their number; negative: errno. */
int kintsugi_fti_abandon_files(const char *folder);

/* For fti_calls.h. */
void *kintsugi_fti_symbol(const char *name);
void kintsugi_fti_run(void (*call)(void *), void *argument);
int64_t kintsugi_fti_size(const char *name);

#ifdef __cplusplus
}
#endif

#endif
