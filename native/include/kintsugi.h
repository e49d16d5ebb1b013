/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * Functions that Java lacks, or has only at a higher price. None of them prints, exits or aborts (but for kintsugi_kill,
 * whose purpose it is).
 * The functions are bound by the preset org.kintsugi.presets.KintsugiPreset.
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

/* The address of the MPI_User_function of a slot (0 <= slot < KINTSUGI_MAX_REDUCTIONS), or 0. */
int64_t kintsugi_reduction_function(int slot);

/* The address of an MPI_User_function: the sum of 16-bit integers, signed or not, which wraps around. */
int64_t kintsugi_sum_of_16_bits(void);

/* Sends a signal to a process, as kill(2): 0, or an errno value. */
int kintsugi_kill(int pid, int signal);

/* This process's id. (Java's ProcessHandle takes 4 ms of a rank's start.) */
int kintsugi_process_id(void);

/* The process id of this process's parent: the launcher's daemon, where mpirun started it. */
int kintsugi_parent_pid(void);

/* From now on the parent of this process is notified of its end before its memory is freed: 0, or
 * an errno value. Another process, the memory holder, shares the memory until this one ends or
 * kintsugi_end_memory_holder is called. */
int kintsugi_start_memory_holder(void);
void kintsugi_end_memory_holder(void);

/* Makes kintsugi_await_failure wake for failures from now on: 0, or an errno value. EAGAIN: MPI_Init is not far enough
 * yet; ENOSYS: the launcher's notices are not available here. */
int kintsugi_watch_failures(void);

/* Sleeps until the launcher reports the failure of a process of the job, or for that time: 1 if it
 * has reported one since the last call, else 0. */
int kintsugi_await_failure(int64_t micros);

/* The number of failures that were reported to this process since kintsugi_watch_failures. From any thread. */
int kintsugi_failures_reported(void);

/* The process of the first (0) or a later reported failure: returns its rank in its job, and copies the job's name to
 * `job`, which has room for `bytes` bytes. -1: fewer failures were reported. From any thread. */
int kintsugi_reported_failure(int number, char *job, int64_t bytes);

/* Has the launcher start another process of the job. Its words (the first is the program) end with
 * a zero each, and have `length` bytes together. It is started on that host of the job; NULL: on
 * any. A plus before the host's name means that the host may have been lost and have come back: the
 * launcher starts a daemon there if needed. The process gets this one's environment and directory.
 * `number`, from 1 on, must be unique among the processes that the job starts in this way: from it
 * Open MPI derives the new process's place in shared memory. Returns 0 or an errno value when the
 * launcher answers, after a few milliseconds, or 0 without an answer after 10 s (35 s where the
 * host may have been lost). From any thread; for the flavour ulfm (else ENOSYS). */
int kintsugi_start_process(const char *words, int64_t length, const char *host, int64_t number);

/* Limits the waits of MPI_Comm_connect, MPI_Comm_accept and MPI_Intercomm_create for the
 * launcher, and for its data of other processes. From now on they wait for this time at most,
 * all together; 0: no limit. (They wait for messages as MPI does.) Returns 0, or an errno value:
 * ENOSYS or ENOENT where that is not possible with this MPI. */
int kintsugi_limit_connecting(int64_t millis);

/* Ends such a wait, if there is one. From any thread. */
void kintsugi_stop_connecting(void);

/* Requests the launcher's data of a process of another job, without waiting for it. A later
 * connection to that process finds it here. 0, or an errno value. From any thread. */
int kintsugi_prefetch_address(const char *job, int rank);

/* Frees the data of kintsugi_prefetch_address for a job that has ended, if no process has connected
 * to it: 10 kB or more. 0, or an errno value: ENOSYS where this PMIx cannot. From any thread. */
int kintsugi_forget_job(const char *job);

/* Reports to this process's MPI that a process has failed: the launcher's name of its job, and its rank in that. 0, or
 * an errno value. From any thread. */
int kintsugi_report_failure(const char *job, int rank);

/* From now on this communicator is revoked when this process, also inside MPI, detects that the
 * first one of the same scope is revoked: 0, or an errno value; ENOSYS where MPI cannot revoke.
 * Scopes are numbers that grow; only the newest counts. For the flavour ulfm. */
int kintsugi_revoke_together(int64_t scope, int64_t comm);

/* Ends that for a communicator that is about to be freed. */
void kintsugi_revoke_alone(int64_t scope, int64_t comm);

/* Whether the communicators of the newest scope are revoked, if any are left. From any thread. */
int kintsugi_is_revoked_together(void);

/* From now on waits inside MPI that have missed a failure are woken up, where several threads
 * wait: 0, or an errno value; ENOSYS where this MPI does not lose wake-ups, or has no hook for
 * it. See rewake.c. Call it once, after MPI_Init with MPI_THREAD_MULTIPLE. */
int kintsugi_watch_waits(void);

/* Reports that a failure is known, which waits may have missed. From any thread. */
void kintsugi_wake_waits_again(void);

/* From now on waits inside MPI leave the core to others, until kintsugi_idle_is_over: 0, or an
 * errno value; ENOSYS where MPI has no such hook. See idle_wait.c. After MPI_Init; on one thread at a
 * time. */
int kintsugi_idle(void);
void kintsugi_idle_is_over(void);

/* Has MPI leave the core to other threads while it waits, from MPI_Init on, unless the user has
 * set mpi_yield_when_idle: 0, or an errno value. Before MPI_Init. */
int kintsugi_yield_when_idle(void);

/* Opens a libmpi for the whole process, if none was found when this library was loaded: 0, or an
 * errno value (ENOENT: it cannot be loaded). */
int kintsugi_open_mpi(const char *path);

/* The file that libmpi was loaded from, into `path` (at most `length` bytes with the ending zero): 0, or an errno
 * value. Before any MPI library is loaded: ENOENT. */
int kintsugi_mpi_library_path(char *path, int64_t length);

/* That libmpi's own description (MPI_Get_library_version), likewise. */
int kintsugi_mpi_library_version(char *version, int64_t length);

/* Sets whether MPI checks arguments from now on, on all threads. Returns 1 if it has checked
 * them so far, 0 if not, and -1 if this MPI has no such switch. */
int kintsugi_check_arguments(int on);

/* The version of the Open MPI that this library, and the bindings with it, were compiled against: "5.0.7". */
const char *kintsugi_mpi_compiled_version(void);

/* Makes a file for writing, for its owner only, in place of any that exists. Returns its
 * descriptor, or an errno value negated. */
int kintsugi_file_make(const char *path);

/* Whether an open file is still the one at a path: 0; ESTALE if another one is there; ENOENT, or
 * another errno value. */
int kintsugi_file_is_at(int file, const char *path);

/* Writes all of the bytes from a position in the file on: 0, or an errno value. */
int kintsugi_file_write(int file, const char *bytes, int64_t count, int64_t at);

/* As ftruncate(2), fdatasync(2) and close(2): 0, or an errno value. */
int kintsugi_file_truncate(int file, int64_t bytes);
int kintsugi_file_sync(int file);
int kintsugi_file_close(int file);

/* The text for an errno value; the C library's, valid until this thread's next call. */
const char *kintsugi_error_text(int error);

#ifdef __cplusplus
}
#endif

#endif
