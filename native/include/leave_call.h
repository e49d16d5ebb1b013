/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * Leaves a call of a library when a process has failed: of FTI (fti/fti.c) and of SCR (scr/scr_leave.c). The code is in
 * src/leave_call.c. One call at a time in a process, on the thread that calls MPI.
 *
 * Such a library calls MPI, ignores its return codes (or ends the process because of them), waits in communicators of its
 * own, and has no way to cancel a call. So a process that is in one of its functions when another one fails must leave
 * that function from the outside: by a jump up to the guard in front of the call. The jump crosses frames of the library
 * and of MPI and no others. The library's state is not used afterwards: the next call initialises it anew.
 *
 *     if (sigsetjmp(*kintsugi_leave_point(), 0) == 0) {     the guard, in a frame that stays until the call is over
 *         kintsugi_leave_arm(revoke);
 *         if (kintsugi_leave_entry_refused() == 0)                 once more: the signal may have come meanwhile
 *             the library's function
 *         kintsugi_leave_disarm();
 *     } else
 *         kintsugi_leave_landed(why);                        after the jump, with its argument
 *
 * How the jump comes about:
 *
 *   - ulfm: kintsugi_leave_watch sets an error handler on the communicator that the library is given, and communicators
 *     made from it inherit the handler. It runs at the very end of an MPI function that has failed, outside
 *     of MPI's locks and of its progress engine. Before it jumps it revokes all of the library's communicators (the
 *     function that was given to kintsugi_leave_arm knows them): others may be waiting in any of them for this
 *     process, and get an error there, too.
 *   - reinit: the guard is that of all calls of MPI (reinit/include/guard.h), with rollback.c's rules: the fork's
 *     signal is delivered only at the end of a progress turn or of a call of MPI, never in the library's file handling or
 *     in malloc. The runtime frees the communicators, and nothing is revoked.
 *
 * What must hold:
 *
 *   a. The library calls MPI from its plain code only, holds no lock meanwhile, and is called by one thread at a time.
 *   b. A process that waits in the library for a process outside of it must be released, too. Each engine ensures this
 *      itself: FTI's communicators are in the epoch's scope, and a process that rolls back revokes all of them; SCR's are
 *      in no scope, so a rank that waits checks the run's world itself.
 *   c. MPI may still write into the frames that were jumped over (results on their way), which must do no harm. FTI runs
 *      on a stack of its own for that. SCR does not: a revocation ends the receives without a matching message, and no
 *      harm has been seen from the others.
 *   d. Nothing in the guard's frame is read after the jump, and nothing in it has a destructor.
 */
#ifndef KINTSUGI_LEAVE_CALL_H
#define KINTSUGI_LEAVE_CALL_H

#include <mpi.h>
#include <setjmp.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The value that arrives at the guard if a process has failed: the fork's signal handler jumps with 1. Other values are those
 * that were given to kintsugi_leave_call. */
#define KINTSUGI_LEFT_BY_FAILURE 1

/* Returns the target of the jump, a static variable. The caller sets it by sigsetjmp in its own frame, before
 * kintsugi_leave_arm. */
sigjmp_buf *kintsugi_leave_point(void);

/* Returns 0 if a call may begin, as it always may with ULFM. On the fork returns the reason why it may not, as a code of MPI: a
 * failure is known already, or this is not the thread that may call MPI. */
int kintsugi_leave_entry_refused(void);

/* From here on the call may be left, until kintsugi_leave_disarm. Before a jump `revoke` is called with the communicator
 * whose operation has failed, NULL if there is none; it is not called under the fork. */
void kintsugi_leave_arm(void (*revoke)(MPI_Comm failed));

/* The call has returned: it is not left any more. */
void kintsugi_leave_disarm(void);

/* Returns 1 if a call that was armed with this function may be left now, else 0. */
int kintsugi_leave_is_armed(void (*revoke)(MPI_Comm failed));

/* Leaves the call that this thread is in: jumps to the guard, with `why`, which is not 0. Returns if the thread is in no call
 * that may be left. */
void kintsugi_leave_call(int why);

/* Must be the first call after the jump. Returns the code of MPI that has ended the call. */
int kintsugi_leave_landed(int why);

/* With ULFM: from now on an error on this communicator, or on any that is made from it, leaves the call. Outside of a call it is
 * a return code, as with MPI_ERRORS_RETURN. On the fork does nothing. MPI_SUCCESS, or MPI's code. */
int kintsugi_leave_watch(MPI_Comm comm);

#ifdef __cplusplus
}
#endif

#endif
