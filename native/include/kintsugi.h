/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * Functions that Java lacks, or has only at a higher price. None of them prints, exits or aborts (but for kintsugi_kill,
 * whose purpose it is). The preset org.kintsugi.presets.KintsugiPreset binds them.
 *
 * A function that returns int returns 0 or an errno value, unless its comment says otherwise. Strings and buffers stay the
 * caller's, and are not used after the function has returned. A function is for one thread at a time, unless its comment says
 * "from any thread".
 */
#ifndef KINTSUGI_H
#define KINTSUGI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How many user-defined reductions may exist at the same time: MPI hands its callback no user data, so each needs a C
 * function of its own. */
#define KINTSUGI_MAX_REDUCTIONS 64

/* The address of the MPI_User_function of a slot (0 <= slot < KINTSUGI_MAX_REDUCTIONS), or 0 for another slot. From any
 * thread. */
int64_t kintsugi_reduction_function(int slot);

/* The address of an MPI_User_function: the sum of 16-bit integers, signed or not, which wraps around. From any thread. */
int64_t kintsugi_sum_of_16_bits(void);

/* Sends a signal to a process, as kill(2). EINVAL for an id below 1, which would be a group of processes. From any thread. */
int kintsugi_kill(int pid, int signal);

/* Returns this process's id. (Java's ProcessHandle takes 4 ms of a rank's start.) From any thread. */
int kintsugi_process_id(void);

/* Returns the process id of this process's parent: the launcher's daemon, if mpirun has started this process, also by way of
 * a warm JVM. From any thread. */
int kintsugi_parent_pid(void);

/* From now on the parent of this process is notified of its end before its memory is freed. Another process, the memory
 * holder, shares the memory until this one ends or kintsugi_end_memory_holder is called. ENOSYS on a Linux before 5.9.
 * Does nothing if there is a memory holder already. */
int kintsugi_start_memory_holder(void);

/* Ends the memory holder, and waits for its end. Does nothing if there is none. */
void kintsugi_end_memory_holder(void);

/* From now on failures are counted, and wake kintsugi_await_failure. EAGAIN: MPI_Init is not far enough yet, so call it
 * again; ENOSYS: the launcher's notices are not available here. Does nothing after a success. From any thread. */
int kintsugi_watch_failures(void);

/* Sleeps until a failure is reported, or for that time. Returns 1 if one was reported since the last call that returned 1,
 * else 0. It may return 0 early. If several threads call it, a report wakes one of them. Needs kintsugi_watch_failures. */
int kintsugi_await_failure(int64_t micros);

/* Returns the number of processes whose failure was reported to this one since kintsugi_watch_failures: each process counts
 * once. From any thread. */
int kintsugi_failures_reported(void);

/* Which process a reported failure names. `number` is from 0, and below kintsugi_failures_reported. Returns the process's rank
 * in its job, and copies the launcher's name of that job to `job`, which has room for `bytes` bytes with the ending zero; a
 * longer name is cut. -1: fewer failures were reported, or there was no memory to note it. From any thread. */
int kintsugi_reported_failure(int number, char *job, int64_t bytes);

/* Has the launcher start another process of the job. Its words (the first is the program) end with a zero each, and have
 * `length` bytes together. It is started on that host of the job; NULL: on any. A plus before the host's name means that
 * the host may have been lost and have come back: the launcher starts a daemon there if needed. The process gets this one's
 * environment and directory. `number`, from 1 on, must be unique among the processes that the job starts in this way: from
 * it Open MPI derives the new process's place in shared memory.
 *
 * Returns when the launcher answers, after a few milliseconds, or after 10 s (35 s where the host may have been lost). 0: the
 * launcher has started the process, or has not answered; ECHILD: it refused; another errno value: it was not asked. From
 * any thread, after MPI_Init; for the flavour ulfm (else ENOSYS). */
int kintsugi_start_process(const char *words, int64_t length, const char *host, int64_t number);

/* Limits the waits of MPI_Comm_connect, MPI_Comm_accept and MPI_Intercomm_create for the launcher, and for its data of other
 * processes. From now on they wait for this time at most, all together; 0: no limit. (They wait for messages as MPI does.)
 * A wait that reaches the limit fails with an error of MPI. ENOSYS or ENOENT where that is not possible with this MPI.
 * Must not be called during such a wait. */
int kintsugi_limit_connecting(int64_t millis);

/* Ends a wait that has a limit by kintsugi_limit_connecting, and all later ones until the limit is set again. From any
 * thread. */
void kintsugi_stop_connecting(void);

/* Requests the launcher's data of a process of another job, and does not wait for them. A later connection to that process
 * finds them here. ENOSYS without the launcher's library PMIx. From any thread, after MPI_Init. */
int kintsugi_prefetch_address(const char *job, int rank);

/* Frees what kintsugi_prefetch_address has brought for a job, 10 kB or more for each job. The caller must know that the job has
 * ended, and that this process has not connected to it; neither is checked. ENOSYS on an Open MPI without our patch of PMIx
 * (pmix/0005). From any thread. */
int kintsugi_forget_job(const char *job);

/* Reports to this process's MPI that a process has failed: the launcher's name of its job, and its rank in that. The caller
 * must be sure: MPI treats the process as failed for good. ENOSYS without PMIx. From any thread, after MPI_Init. */
int kintsugi_report_failure(const char *job, int rank);

/* Puts a communicator (MPI's handle) into a scope. From now on it is revoked when this process, also inside MPI, detects that
 * the first communicator of the scope is revoked; at once, if this is known already. Scopes are numbers that grow: a call
 * with a new one forgets the communicators of the scope before, and one with an old one does nothing. ENOSYS where MPI cannot
 * revoke. The handle stays the caller's, who must call kintsugi_revoke_alone before freeing it. From any thread; for the
 * flavour ulfm. */
int kintsugi_revoke_together(int64_t scope, int64_t comm);

/* Takes a communicator out of its scope, because it is about to be freed. Does nothing if it is not in that scope. From any
 * thread. */
void kintsugi_revoke_alone(int64_t scope, int64_t comm);

/* Returns 1 if this process has seen that the first communicator of the newest scope is revoked, and has revoked the others,
 * else 0; 0 also if the scope is empty. From any thread, also while others hang in MPI. */
int kintsugi_is_revoked_together(void);

/* From now on waits inside MPI that have missed a failure are woken up, if several threads wait: see rewake.c. ENOSYS: this
 * MPI loses no wake-ups (our patch mpi/0006), or has no hook for it. Must be called once, after MPI_Init with
 * MPI_THREAD_MULTIPLE. */
int kintsugi_watch_waits(void);

/* Reports that a failure is known, which waits may have missed. Has an effect after kintsugi_watch_waits. From any thread. */
void kintsugi_wake_waits_again(void);

/* From now on all waits inside MPI of this process leave the core to others, until kintsugi_idle_is_over: see idle_wait.c.
 * Messages that arrive meanwhile are noticed up to a millisecond late. ENOSYS where MPI has no such hook. After MPI_Init. */
int kintsugi_idle(void);

/* Ends what kintsugi_idle began. From any thread. */
void kintsugi_idle_is_over(void);

/* Has MPI leave the core to other threads while it waits, from MPI_Init on. Sets Open MPI's variable for that in the
 * environment, unless it is set. Before MPI_Init. */
int kintsugi_yield_when_idle(void);

/* Opens the libmpi of this path for the whole process, if none was found when this library was loaded; otherwise does nothing,
 * and returns 0. ENOENT: it cannot be loaded. */
int kintsugi_open_mpi(const char *path);

/* Copies the path of the file that libmpi was loaded from to `path`, which has room for `length` bytes with the ending zero.
 * ENOENT: no libmpi is loaded; ERANGE: not enough room. From any thread. */
int kintsugi_mpi_library_path(char *path, int64_t length);

/* Copies that libmpi's own description (MPI_Get_library_version), likewise; EIO if MPI returns an error. */
int kintsugi_mpi_library_version(char *version, int64_t length);

/* Sets whether MPI checks arguments from now on, in calls of all threads. Returns 1 if it has checked them so far, 0 if not,
 * and -1 if this MPI has no such switch, or none is loaded. */
int kintsugi_check_arguments(int on);

/* Returns the version of the Open MPI that this library, and the bindings with it, were compiled against: "5.0.7", for
 * instance. A constant: the caller must not free it. From any thread. */
const char *kintsugi_mpi_compiled_version(void);

/* Makes a file for writing, for its owner only, in place of any that exists at the path. Returns its descriptor, which the
 * caller closes, or an errno value negated: EEXIST if other processes make the same file again and again, EPERM if the file
 * is not a regular one of this user. From any thread, like the following ones. */
int kintsugi_file_make(const char *path);

/* Returns 0 if an open file is the one at a path, ESTALE if another one is there, ENOENT if none is. */
int kintsugi_file_is_at(int file, const char *path);

/* Writes all of the bytes, from the position `at` in the file on. After an error a part of them may be written. */
int kintsugi_file_write(int file, const char *bytes, int64_t count, int64_t at);

/* As ftruncate(2), fdatasync(2) and close(2). */
int kintsugi_file_truncate(int file, int64_t bytes);
int kintsugi_file_sync(int file);
int kintsugi_file_close(int file);

/* Returns the C library's text for an errno value, valid until this thread's next call. */
const char *kintsugi_error_text(int error);

#ifdef __cplusplus
}
#endif

#endif
