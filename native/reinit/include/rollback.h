/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * The Reinit++ fork in a JVM: the functions of rollback.c for the guard (guard.h) and for Java
 * (ReinitPreset).
 */
#ifndef KINTSUGI_ROLLBACK_H
#define KINTSUGI_ROLLBACK_H

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The distance, down the stack, between a guard and the frames of its call. */
#define KINTSUGI_APART_BYTES (64 * 1024)

/* The room on the stack below which that distance is left out. */
#define KINTSUGI_ROOM_BYTES (384 * 1024)

/* The state of a guarded call for the signal handler, and the handler's for the call. */
struct kintsugi_guard {
    pthread_t thread;               /* the one that may call MPI */
    volatile sig_atomic_t pending;  /* a rollback is requested */
    volatile sig_atomic_t inside;   /* `thread` is in a call that may wait, and `jump` is good */
    volatile sig_atomic_t callback; /* MPI has called back into Java: no jump now */
    char *stack_end;                /* the lowest address of the stack of `thread` */
    sigjmp_buf jump;
};

extern struct kintsugi_guard kintsugi_guard;

/* Must be called first after the jump to a guard: makes the thread ready to take signals again. */
void kintsugi_guard_landed(void);

/* Must be called around every callback from MPI into Java, on its thread. Calls may be nested. */
void kintsugi_callback_begin(void);
void kintsugi_callback_end(void);

/* Makes the calling thread MPI's, and installs our handler for SIGUSR1. Must be called once, before MPI_Init. 0, or an errno
 * value: ENOSYS if the MPI that is loaded is not the fork. */
int kintsugi_reinit_prepare(void);

/* Calls OMPI_Reinit and returns when its restart point is entered; once in a process, on the thread that calls MPI, after
 * MPI_Init. Collective: all ranks call it. Returns the argument of the restart point: 1 (NEW) or 3 (RESTARTED), or 2
 * (REINITED) if a failure came before; negative: an errno value, for instance EINVAL for a second call. */
int kintsugi_reinit_enter(void);

/* After kintsugi_reinit_enter: returns 1 if this process replaces a failed one, else 0. (kintsugi_reinit_enter may return
 * REINITED instead of RESTARTED in such a process, if another failure came before.) */
int kintsugi_reinit_is_replacement(void);

/* kintsugi_reinit_enter adapts three parts of the fork. Each constant says what may happen where its part is not adapted. */

/* The TCP connections: a failure may end or hang the job, or give a wrong result. */
#define KINTSUGI_LINKS 0

/* The end of MPI: MPI_Finalize may hang after a failure. */
#define KINTSUGI_FINALIZE 1

/* Long messages under way in shared memory: a failure may crash or hang the job, or give a wrong result. */
#define KINTSUGI_QUIESCE 2

/* The number of these parts. */
#define KINTSUGI_ADAPTED_PARTS 3

/* After kintsugi_reinit_enter: returns why a part could not be adapted, as an errno value. 0: it was adapted, or
 * (LINKS and FINALIZE only) it is not loaded as a library of its own. Then the job does not use TCP, or the fork was built with
 * static components, and these two parts are not adapted, which is not reported. */
int kintsugi_reinit_not_adapted(int part);

/* Ends the epoch: the fork repairs MPI_COMM_WORLD. Collective: returns as kintsugi_reinit_enter does, and not before all ranks
 * have called it, or have been started again. On the thread that calls MPI, during a run (else -EINVAL). */
int kintsugi_reinit_roll_back(void);

/* The stages of gathering: the roll call, and the body. */
#define KINTSUGI_AT_ROLL_CALL 1
#define KINTSUGI_AT_BODY 2

/* On the way into an epoch: sleeps until all ranks of this node have reached a stage, a rollback is requested, or a short limit
 * is over. Only the use of the processors depends on it. On the thread that calls MPI. */
void kintsugi_reinit_gather(int stage);

/* Returns from the restart point with a value, which is then the result of OMPI_Reinit, and returns that. On the thread that
 * calls MPI, during a run (else -EINVAL). No rollback is possible afterwards. */
int kintsugi_reinit_leave(int value);

/* Returns 1 if a rollback is requested, and this process has not rolled back yet, else 0. From any thread. */
int kintsugi_reinit_is_pending(void);

/* Restores the handler from before kintsugi_reinit_prepare. Must be called after MPI_Finalize. */
void kintsugi_reinit_release(void);

/* Ends this process in the one way from which the fork's launcher does not recover: it ends the job. Does not return. From any
 * thread. */
void kintsugi_reinit_end_job(void);

#ifdef __cplusplus
}
#endif

#endif
