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

/* The distance of the frames of a call that may be left below the guard, and the stack that this
 * takes at least. */
#define KINTSUGI_APART_BYTES (64 * 1024)
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

/* Must be called after the jump: makes the thread ready to take signals again. */
void kintsugi_guard_landed(void);

/* Must be called around every callback from MPI into Java. */
void kintsugi_callback_begin(void);
void kintsugi_callback_end(void);

/* Makes the calling thread MPI's, and puts our handler for SIGUSR1 in place; before MPI_Init. 0, or an errno value. */
int kintsugi_reinit_prepare(void);

/* Calls OMPI_Reinit and returns when its restart point is entered; once in a process. Returns the argument of the
 * restart point: 1 (NEW) or 3 (RESTARTED), or 2 (REINITED) if a failure came before; negative: an errno value. */
int kintsugi_reinit_enter(void);

/* After kintsugi_reinit_enter: whether this process replaces a failed one. (kintsugi_reinit_enter
 * may return REINITED instead of RESTARTED in such a process, if another failure came before.) */
int kintsugi_reinit_is_replacement(void);

/* The parts of the fork that are changed as the restart point is entered for the first time. Without the change, by part:
 * failures while messages go over TCP may end the job; MPI_Finalize may hang after a failure; failures while long messages
 * are under way may crash or hang the job. */
#define KINTSUGI_LINKS 0
#define KINTSUGI_FINALIZE 1
#define KINTSUGI_QUIESCE 2
#define KINTSUGI_ADAPTED_PARTS 3

/* After kintsugi_reinit_enter: why a part could not be changed, as an errno value; 0: it has been. */
int kintsugi_reinit_not_adapted(int part);

/* Ends the epoch: the fork repairs MPI_COMM_WORLD. Returns as kintsugi_reinit_enter does, and not
 * before all others have called it as well. */
int kintsugi_reinit_roll_back(void);

/* On the way into an epoch: sleeps until all ranks of this node have reached a stage (the roll call, then the body),
 * a rollback is requested, or a short limit is over. Only the use of the processors depends on it. */
#define KINTSUGI_AT_ROLL_CALL 1
#define KINTSUGI_AT_BODY 2
void kintsugi_reinit_gather(int stage);

/* Returns from the restart point with a value, which is then the result of OMPI_Reinit. */
int kintsugi_reinit_leave(int value);

/* Whether a rollback is requested. */
int kintsugi_reinit_is_pending(void);

/* Restores the handler from before kintsugi_reinit_prepare. Must be called after MPI_Finalize. */
void kintsugi_reinit_release(void);

/* Ends this process in the one way from which the fork's launcher does not recover: it ends the
 * job. Does not return. */
void kintsugi_reinit_end_job(void);

#ifdef __cplusplus
}
#endif

#endif
