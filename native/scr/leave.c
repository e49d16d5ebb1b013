/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * SCR knows nothing of failures. What it calls of MPI goes through here (interpose.c), and when a process has died, the
 * call into SCR is left by a jump that crosses frames of SCR and of MPI only, up to its entry in library.c. What is in
 * between is in no state to go on: SCR's part is thrown away with the library itself (kintsugi_scr_close), and what it
 * made in MPI is freed here, because all its communicators are known.
 *
 * Flavour ulfm. Errors come to the error handler that SCR's world has, and all communicators made from it. It revokes
 * them all and jumps: MPI has left its call by then, nothing of MPI is on the stack but the call that reports. But not
 * everybody's calls fail. A rank may wait for another that has gone back already, on a communicator that the other
 * has not even finished making. Who goes back has revoked, or will revoke, the world that this SCR was opened with (the
 * run does that); so a rank that waits in here looks at that flag in every turn of MPI's progress engine, revokes its
 * communicators when it is up, and by that lets its own call fail. Nothing but that flag is waited for.
 *
 * Flavour reinit. The fork's signal comes to everybody, and rollback.c jumps to LEAVE_JUMP, at the end of a progress
 * turn or of a call, as to any guard. Communicators are the runtime's business.
 *
 * On both, SCR's calls to MPI_Abort, abort and exit leave likewise: they would end the JVM, with all shutdown hooks run
 * in between in the case of exit.
 */
#define _GNU_SOURCE
#include "leave.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#ifndef KINTSUGI_REINIT
#include <mpi-ext.h>
sigjmp_buf leave_jump;
#endif

pthread_t leave_thread;

static volatile sig_atomic_t armed;

/* Those that SCR has, in no order. */
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

void leave_arm(void) {
    armed = 1;
    kintsugi_guard.inside = 1;
}

void leave_disarm(void) {
    kintsugi_guard.inside = 0;
    armed = 0;
}

#else

static MPI_Comm outer = MPI_COMM_NULL; /* the run's world */
static MPI_Comm own = MPI_COMM_NULL;   /* SCR's */
static MPI_Errhandler handler = MPI_ERRHANDLER_NULL;

void leave_arm(void) {
    armed = 1;
}

void leave_disarm(void) {
    armed = 0;
}

static void revoke_all(void) {
    MPIX_Comm_revoke(own);
    for (int i = 0; i < comm_count; i++) {
        MPIX_Comm_revoke(comms[i]);
    }
}

#endif

/* Leaves the call, if this thread is in one; otherwise there is nowhere to go. */
static void leave(int why) {
    if (armed && pthread_equal(pthread_self(), leave_thread)) {
        leave_disarm();
#ifndef KINTSUGI_REINIT
        revoke_all();
#endif
        siglongjmp(LEAVE_JUMP, why);
    }
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

static int give_up_mpi(MPI_Comm comm, int code) {
    leave(LEFT_GAVE_UP);
    return MPI_Abort(comm, code);
}

static void give_up_exit(int code) {
    leave(LEFT_GAVE_UP);
    _exit(code); /* on a thread of SCR's own: hooks must not run there */
}

static void give_up(void) {
    leave(LEFT_GAVE_UP);
    abort();
}

#define REPLACE(name, with)                                                                                            \
    { .symbol = name, .address = (void *)(with) }

static struct replacement replacements[] = {
    REPLACE("MPI_Comm_dup", comm_dup),       REPLACE("MPI_Comm_split", comm_split),
    REPLACE("MPI_Comm_create", comm_create), REPLACE("MPI_Comm_free", comm_free),
    REPLACE("MPI_Abort", give_up_mpi),       REPLACE("exit", give_up_exit),
    REPLACE("_exit", give_up_exit),          REPLACE("abort", give_up),
    REPLACE("ompi_mpi_comm_world", NULL),
};

#define REPLACEMENTS (sizeof(replacements) / sizeof(replacements[0]))

#ifdef KINTSUGI_REINIT

int leave_prepare(MPI_Comm world, const struct replacement **list, size_t *count) {
    leave_thread = kintsugi_guard.thread;
    replacements[REPLACEMENTS - 1].address = world;
    *list = replacements;
    *count = REPLACEMENTS;
    return MPI_SUCCESS;
}

void leave_world_ends(void) {
}

void leave_release(void) {
    comm_count = 0; /* after a rollback the runtime has freed them; after SCR_Finalize there are none */
}

#else

static void on_error(MPI_Comm *comm, int *code, ...) {
    (void)comm, (void)code;
    leave(LEFT_FAILED);
}

static int revoke_with_outer(void) {
    int revoked = 0;
    if (armed && MPIX_Comm_is_revoked(outer, &revoked) == MPI_SUCCESS && revoked) {
        MPIX_Comm_is_revoked(own, &revoked);
        if (!revoked) {
            revoke_all();
        }
    }
    return 0;
}

static int progress_hook(const char *function) {
    int (*change)(int (*)(void));
    *(void **)&change = dlsym(RTLD_DEFAULT, function);
    return change == NULL ? MPI_ERR_UNSUPPORTED_OPERATION : change(revoke_with_outer);
}

int leave_prepare(MPI_Comm world, const struct replacement **list, size_t *count) {
    leave_thread = pthread_self();
    outer = world;
    int code = MPI_Comm_dup(world, &own);
    if (code == MPI_SUCCESS) {
        code = MPI_Comm_create_errhandler(on_error, &handler);
    }
    if (code == MPI_SUCCESS) {
        code = MPI_Comm_set_errhandler(own, handler);
    }
    if (code == MPI_SUCCESS) {
        code = progress_hook("opal_progress_register");
    }
    replacements[REPLACEMENTS - 1].address = own;
    *list = replacements;
    *count = REPLACEMENTS;
    return code;
}

void leave_world_ends(void) {
    outer = own;
}

void leave_release(void) {
    progress_hook("opal_progress_unregister");
    while (comm_count > 0) {
        comm_free(&(MPI_Comm){comms[comm_count - 1]});
    }
    if (own != MPI_COMM_NULL) {
        MPI_Comm_free(&own);
    }
    if (handler != MPI_ERRHANDLER_NULL) {
        MPI_Errhandler_free(&handler);
    }
    outer = MPI_COMM_NULL;
}

#endif
