/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * Loads FTI's library, and calls it so that a call can be left when another process fails: fti/fti.c. For one thread, the one
 * that calls MPI.
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

/* Selects the instance of all following calls, 0 or 1, and loads it if need be. 0, or an errno value: then
 * kintsugi_fti_problem has the reason, and the instance that was selected before stays so. */
int kintsugi_fti_use(int instance);

/* Returns why kintsugi_fti_use failed; the next failure overwrites the text. */
const char *kintsugi_fti_problem(void);

/* Must be called before FTI_Init, with its communicator: an error in any communicator that FTI makes from it then ends FTI's
 * function. The communicator stays the caller's. After it is freed, this function and FTI_Init must come before any other call
 * of the instance. MPI_SUCCESS, or MPI's code. */
int kintsugi_fti_arm(MPI_Comm global);

/* Gives the error handler of kintsugi_fti_arm to a communicator that FTI has made and whose handler was replaced. MPI_SUCCESS,
 * or MPI's code. */
int kintsugi_fti_rearm(MPI_Comm comm);

/* Returns MPI's code of the error that ended the last call of FTI, or 0: the function returned by itself. MPI_ERR_NO_MEM: it
 * was not called, because there is no memory for its stack. */
int kintsugi_fti_interrupted(void);

/* Returns a communicator that FTI has made from that of kintsugi_fti_arm: 0 FTI_COMM_WORLD, 1 the group's. NULL: it has not
 * been made. FTI never frees them: the caller does. */
MPI_Comm kintsugi_fti_communicator(int which);

/* After a call that was left: puts /dev/null in the place of all files below a folder that this process has open, which FTI will
 * never close, so that their buffers are not written later. Returns their number; negative: an errno value. */
int kintsugi_fti_abandon_files(const char *folder);

/* The following ones are for fti_calls.h. */

/* Returns the address of a function or variable of the selected instance, or NULL. */
void *kintsugi_fti_symbol(const char *name);

/* Returns the size in bytes of a variable of the selected instance, or 0 if there is none of this name. */
int64_t kintsugi_fti_size(const char *name);

/* Calls `call` with this argument under the guard, on a stack for FTI. Returns when it has returned or was left, or without
 * calling it: kintsugi_fti_interrupted says which. */
void kintsugi_fti_run(void (*call)(void *), void *argument);

#ifdef __cplusplus
}
#endif

#endif
