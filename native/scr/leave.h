/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * The way out of SCR: what its communicators are, and how a call comes back in which SCR would wait or end the process.
 */
#ifndef KINTSUGI_LEAVE_H
#define KINTSUGI_LEAVE_H

#include "interpose.h"

#include <mpi.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>

#ifdef KINTSUGI_REINIT
#include "rollback.h"
/* The signal handler jumps here as well: see rollback.c. */
#define LEAVE_JUMP kintsugi_guard.jump
#else
extern sigjmp_buf leave_jump;
#define LEAVE_JUMP leave_jump
#endif

/* What arrives at LEAVE_JUMP; 1 is that of the signal handler. */
#define LEFT_FAILED 1
#define LEFT_GAVE_UP 2
#define LEFT_NOT_ENTERED 3

/* The thread that may call SCR. */
extern pthread_t leave_thread;

/* From here on a call may leave by LEAVE_JUMP, until leave_disarm. */
void leave_arm(void);
void leave_disarm(void);

/* Makes ready for libraries that are about to be used: the communicator for SCR to take as MPI_COMM_WORLD, and what to
 * put in the place of the symbols that they refer to. Collective over `world`. 0, or an error code of MPI. */
int leave_prepare(MPI_Comm world, const struct replacement **replacements, size_t *count);

/* The world given to leave_prepare is not looked at any more. */
void leave_world_ends(void);

/* Frees all that SCR has left in MPI. Local: communicators that are in use elsewhere must have been revoked. */
void leave_release(void);

#endif
