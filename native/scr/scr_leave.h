/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * Leaves a call of SCR that would wait for a failed process, or would end this one; keeps a list of SCR's communicators for it.
 */
#ifndef KINTSUGI_SCR_LEAVE_H
#define KINTSUGI_SCR_LEAVE_H

#include "interpose.h"

#include "leave_call.h"

#include <mpi.h>
#include <pthread.h>

/* Arrives at the guard: SCR wanted to end the process. */
#define LEFT_BY_SCR 2

/* The call was armed, but not begun. */
#define LEFT_NOT_ENTERED 3

/* The thread that may call SCR. */
extern pthread_t scr_thread;

/* From here on a call may be left, until kintsugi_leave_disarm. */
void scr_leave_arm(void);

/* Prepares libraries that are about to be used: sets the communicator that SCR takes for MPI_COMM_WORLD, and the
 * replacements of symbols that they refer to. Collective over `world`. 0, or an error code of MPI. */
int scr_leave_prepare(MPI_Comm world, const struct replacement **replacements, size_t *count);

/* Ends the checks of the world that scr_leave_prepare got. */
void scr_leave_world_ends(void);

/* Frees all that SCR has left in MPI. Local: communicators that are in use elsewhere must have been revoked. */
void scr_leave_release(void);

#endif
