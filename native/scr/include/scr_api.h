/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * SCR 3.1 (Scalable Checkpoint/Restart, LLNL) for Java, hand-declared: compiles and links where SCR is not installed.
 *
 * The first part is the whole public C API of scr.h under its own names; SCR's manual describes it. Each function goes
 * through library.c to the function of that name in the libscr that kintsugi_scr_open has loaded, and returns in every case.
 * If a process fails while SCR waits for it, or if SCR aborts (by MPI_Abort or exit), the call ends with
 * KINTSUGI_SCR_FAILED or KINTSUGI_SCR_GAVE_UP: then only kintsugi_scr_close may be called.
 *
 * The second part is Kintsugi's: loading, unloading, settings. All is for the one thread that calls MPI, after MPI_Init.
 */
#ifndef KINTSUGI_SCR_API_H
#define KINTSUGI_SCR_API_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Our functions have symbols of their own: libscr calls itself by its own ones. */
#define KINTSUGI_SCR_SYMBOL(name) __asm__("kintsugi_" #name)

#define SCR_SUCCESS (0)
#define SCR_MAX_FILENAME 1024
#define SCR_FLAG_NONE (0 << 0)
#define SCR_FLAG_CHECKPOINT (1 << 0)
#define SCR_FLAG_OUTPUT (1 << 1)

/* Returned by calls that did not end as SCR would have it; functions that return a string return 0. */
#define KINTSUGI_SCR_NOT_OPEN (-1001)   /* no libscr is loaded: kintsugi_scr_open */
#define KINTSUGI_SCR_FAILED (-1002)     /* a process has failed, or SCR's communicators are revoked */
#define KINTSUGI_SCR_GAVE_UP (-1003)    /* SCR called MPI_Abort, abort or exit; it has said why on stderr */
#define KINTSUGI_SCR_THREAD (-1004)     /* on another thread than the one that opened the library */
#define KINTSUGI_SCR_NOT_LOADED (-1005) /* kintsugi_scr_open: the loader's words are in kintsugi_scr_words */
#define KINTSUGI_SCR_STAYS (-1006)      /* kintsugi_scr_close: what did not go away is in kintsugi_scr_words */

int SCR_Init(void) KINTSUGI_SCR_SYMBOL(SCR_Init);
int SCR_Finalize(void) KINTSUGI_SCR_SYMBOL(SCR_Finalize);
const char *SCR_Config(const char *config) KINTSUGI_SCR_SYMBOL(SCR_Config);
const char *SCR_Configf(const char *format, ...) KINTSUGI_SCR_SYMBOL(SCR_Configf);
int SCR_Route_file(const char *name, char *file) KINTSUGI_SCR_SYMBOL(SCR_Route_file);
int SCR_Have_restart(int *flag, char *name) KINTSUGI_SCR_SYMBOL(SCR_Have_restart);
int SCR_Start_restart(char *name) KINTSUGI_SCR_SYMBOL(SCR_Start_restart);
int SCR_Complete_restart(int valid) KINTSUGI_SCR_SYMBOL(SCR_Complete_restart);
int SCR_Need_checkpoint(int *flag) KINTSUGI_SCR_SYMBOL(SCR_Need_checkpoint);
int SCR_Start_checkpoint(void) KINTSUGI_SCR_SYMBOL(SCR_Start_checkpoint);
int SCR_Complete_checkpoint(int valid) KINTSUGI_SCR_SYMBOL(SCR_Complete_checkpoint);
int SCR_Start_output(const char *name, int flags) KINTSUGI_SCR_SYMBOL(SCR_Start_output);
int SCR_Complete_output(int valid) KINTSUGI_SCR_SYMBOL(SCR_Complete_output);
int SCR_Current(const char *name) KINTSUGI_SCR_SYMBOL(SCR_Current);
int SCR_Drop(const char *name) KINTSUGI_SCR_SYMBOL(SCR_Drop);
int SCR_Delete(const char *name) KINTSUGI_SCR_SYMBOL(SCR_Delete);
char *SCR_Get_version(void) KINTSUGI_SCR_SYMBOL(SCR_Get_version);
int SCR_Should_exit(int *flag) KINTSUGI_SCR_SYMBOL(SCR_Should_exit);

/* Loads libscr (its path) as if for the first time in this process. `world` is the communicator, a handle of MPI, that SCR and
 * its components are to take for MPI_COMM_WORLD: on ULFM they get a duplicate, on the fork `world` itself, and it stays the
 * caller's. Collective over it. 0, or KINTSUGI_SCR_NOT_LOADED or KINTSUGI_SCR_FAILED: then nothing is loaded. */
int kintsugi_scr_open(const char *library, int64_t world);

/* Must be called before the communicator that SCR was opened with is freed: from now on SCR is not left because of failures
 * on it. Local. */
void kintsugi_scr_world_ends(void);

/* Frees SCR's objects in MPI, and unloads the library with all its components. Local; after SCR_Finalize, or in its
 * place when the world is broken. 0, also if nothing is open, or KINTSUGI_SCR_STAYS: then SCR cannot be opened again as if
 * for the first time. */
int kintsugi_scr_close(void);

/* Returns the text for the last code of kintsugi_scr_open and kintsugi_scr_close, which their next call overwrites. */
const char *kintsugi_scr_words(void);

/* Sets a variable of the C environment, where SCR reads its settings; Java cannot set those. Before kintsugi_scr_open. 0, or
 * an errno value. */
int kintsugi_scr_set(const char *name, const char *value);

#ifdef __cplusplus
}
#endif

#endif
