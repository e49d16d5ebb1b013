/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * Leaves a library's function when a process has failed: for FTI (fti/fti.c) and SCR (scr/scr_leave.c); implemented in
 * src/leave_call.c.
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

/* The values that arrive at the guard: a process has failed (1 is the value that the fork's signal handler jumps
 * with), or a value that the library's own code has given to kintsugi_leave_call. */
#define KINTSUGI_LEFT_BY_FAILURE 1

/* The target of the jump. The caller sets it in its frame, before kintsugi_leave_arm. */
sigjmp_buf *kintsugi_leave_point(void);

/* The reason why no call may begin, as a code of MPI: a failure is known already, or this is not the thread that may
 * call MPI. 0: it may. With ULFM it always may. */
int kintsugi_leave_entry_refused(void);

/* From here on the call may be left, until kintsugi_leave_disarm. Before a jump `revoke` is called with the communicator
 * whose operation has failed, NULL if there is none; it is not called under the fork. */
void kintsugi_leave_arm(void (*revoke)(MPI_Comm failed));
void kintsugi_leave_disarm(void);

/* Whether a call that was armed with this function may be left now. */
int kintsugi_leave_is_armed(void (*revoke)(MPI_Comm failed));

/* Jumps out of the call that this thread is in, to the guard, with `why`. Returns if the thread
 * is in no such call. */
void kintsugi_leave_call(int why);

/* Must be the first call after the jump. Returns the code of MPI that has ended the call. */
int kintsugi_leave_landed(int why);

/* Sends errors on this communicator, and on all that are made from it, to the guard. Outside a
 * call they are return codes, as with MPI_ERRORS_RETURN. MPI_SUCCESS, or MPI's code. */
int kintsugi_leave_watch(MPI_Comm comm);

#ifdef __cplusplus
}
#endif

#endif
