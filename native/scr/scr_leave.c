/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * The way out of SCR, which knows nothing of failures: include/leave_call.h has the mechanism and what must hold for it. Here
 * is what SCR needs beside it. SCR's calls of MPI go through here (interpose.c), so that all its communicators are known:
 * SCR's own state is thrown away with the library itself (kintsugi_scr_close), and its objects of MPI are freed here.
 *
 * With ULFM not every rank's call fails. A rank may wait for another one that has rolled back already, on a communicator
 * that the other one has not finished making. A rank that rolls back has revoked, or will revoke, the world that this SCR was
 * opened with (the run does that). So a rank that waits in here looks in every turn of MPI's progress engine whether that
 * world is revoked. If so, it revokes SCR's communicators, and its own call fails. It waits for nothing else.
 *
 * With both flavours SCR's calls to MPI_Abort, abort and exit leave likewise: they would end the JVM, with all shutdown
 * hooks run in between in the case of exit.
 */
#define _GNU_SOURCE
#include "scr_leave.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef KINTSUGI_REINIT
#include "rollback.h"
#else
#include <mpi-ext.h>
#endif

pthread_t scr_thread;

/* SCR's communicators, in no order. */
static MPI_Comm *comms;
static int comm_count;
static int comm_room;

static void track(MPI_Comm comm) {
    if (comm == MPI_COMM_NULL) {
        return;
    }
    if (comm_count == comm_room) {
        int room = comm_room == 0 ? 64 : 2 * comm_room;
        MPI_Comm *larger = realloc(comms, room * sizeof(*comms));
        if (larger == NULL) {
            return; /* it is neither revoked nor freed then: no worse than in a program without us */
        }
        comms = larger;
        comm_room = room;
    }
    comms[comm_count++] = comm;
}

static void untrack(MPI_Comm comm) {
    for (int i = 0; i < comm_count; i++) {
        if (comms[i] == comm) {
            comms[i] = comms[--comm_count];
            return;
        }
    }
}

#ifdef KINTSUGI_REINIT

static void revoke_all(MPI_Comm failed) {
    (void)failed; /* SCR never requests it */
}

#else

static MPI_Comm outer = MPI_COMM_NULL; /* the run's world */
static MPI_Comm own = MPI_COMM_NULL;   /* SCR's */

/* Revokes all. The failed communicator may be one of them, or may not have been made. */
static void revoke_all(MPI_Comm failed) {
    (void)failed;
    MPIX_Comm_revoke(own);
    for (int i = 0; i < comm_count; i++) {
        MPIX_Comm_revoke(comms[i]);
    }
}

#endif

void scr_leave_arm(void) {
    kintsugi_leave_arm(revoke_all);
}

static int comm_dup(MPI_Comm comm, MPI_Comm *result) {
    int code = MPI_Comm_dup(comm, result);
    if (code == MPI_SUCCESS) {
        track(*result);
    }
    return code;
}

static int comm_split(MPI_Comm comm, int colour, int key, MPI_Comm *result) {
    int code = MPI_Comm_split(comm, colour, key, result);
    if (code == MPI_SUCCESS) {
        track(*result);
    }
    return code;
}

static int comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *result) {
    int code = MPI_Comm_create(comm, group, result);
    if (code == MPI_SUCCESS) {
        track(*result);
    }
    return code;
}

static int comm_free(MPI_Comm *comm) {
    untrack(*comm);
    return MPI_Comm_free(comm);
}

/*
 * SCR ends the process with these, and its code after such a call must never run: they must not
 * return. They jump out of SCR's call, with an error for Java. A thread of SCR's own is in no such
 * call: it has no guard to jump to, and no caller that could take a return code. Only there the
 * process ends, in the way that SCR wants.
 */
static int on_abort_of_mpi(MPI_Comm comm, int code) {
    kintsugi_leave_call(LEFT_BY_SCR);
    return MPI_Abort(comm, code);
}

static void on_exit_of_scr(int code) {
    kintsugi_leave_call(LEFT_BY_SCR);
    _exit(code); /* and not exit: a JVM's hooks must not run on a thread of SCR's own */
}

static void on_abort_of_libc(void) {
    kintsugi_leave_call(LEFT_BY_SCR);
    abort();
}

#define REPLACE(name, with)                                                                                            \
    { .symbol = name, .address = (void *)(with) }

static struct replacement replacements[] = {
    REPLACE("MPI_Comm_dup", comm_dup),   REPLACE("MPI_Comm_split", comm_split), REPLACE("MPI_Comm_create", comm_create),
    REPLACE("MPI_Comm_free", comm_free), REPLACE("MPI_Abort", on_abort_of_mpi), REPLACE("exit", on_exit_of_scr),
    REPLACE("_exit", on_exit_of_scr),    REPLACE("abort", on_abort_of_libc),    REPLACE("ompi_mpi_comm_world", NULL),
};

#define REPLACEMENTS (sizeof(replacements) / sizeof(replacements[0]))

#ifdef KINTSUGI_REINIT

int scr_leave_prepare(MPI_Comm world, const struct replacement **list, size_t *count) {
    scr_thread = kintsugi_guard.thread;
    replacements[REPLACEMENTS - 1].address = world;
    *list = replacements;
    *count = REPLACEMENTS;
    return MPI_SUCCESS;
}

void scr_leave_world_ends(void) {
}

void scr_leave_release(void) {
    comm_count = 0; /* after a rollback the runtime has freed them; after SCR_Finalize there are none */
}

#else

static int revoke_with_outer(void) {
    int revoked = 0;
    if (kintsugi_leave_is_armed(revoke_all) && MPIX_Comm_is_revoked(outer, &revoked) == MPI_SUCCESS && revoked) {
        MPIX_Comm_is_revoked(own, &revoked);
        if (!revoked) {
            revoke_all(MPI_COMM_NULL);
        }
    }
    return 0;
}

static int progress_hook(const char *function) {
    int (*change)(int (*)(void));
    *(void **)&change = dlsym(RTLD_DEFAULT, function);
    return change == NULL ? MPI_ERR_UNSUPPORTED_OPERATION : change(revoke_with_outer);
}

int scr_leave_prepare(MPI_Comm world, const struct replacement **list, size_t *count) {
    scr_thread = pthread_self();
    outer = world;
    int code = MPI_Comm_dup(world, &own);
    if (code == MPI_SUCCESS) {
        code = kintsugi_leave_watch(own);
    }
    if (code == MPI_SUCCESS) {
        code = progress_hook("opal_progress_register");
    }
    replacements[REPLACEMENTS - 1].address = own;
    *list = replacements;
    *count = REPLACEMENTS;
    return code;
}

void scr_leave_world_ends(void) {
    outer = own;
}

void scr_leave_release(void) {
    progress_hook("opal_progress_unregister");
    while (comm_count > 0) {
        comm_free(&(MPI_Comm){comms[comm_count - 1]});
    }
    if (own != MPI_COMM_NULL) {
        MPI_Comm_free(&own);
    }
    outer = MPI_COMM_NULL;
}

#endif
