/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * When the first communicator of a scope (the epoch's world) is revoked, all others of the scope that this process has
 * are revoked too, even while it is blocked inside MPI.
 *
 * Without this, a process may wait for good: a split can succeed on one process and fail on
 * another. Then the one waits in a communicator in which no process died, and the other, which
 * never had it, cannot revoke it. But all processes have the world, and a process that detects a
 * failure revokes the world.
 *
 * MPI has no callback for a revoked communicator, so Open MPI's progress engine, in which every
 * blocking call waits, is asked to look. It is found at run time, as this library is not linked
 * against MPI (library.c says why).
 */
#define _GNU_SOURCE
#include "kintsugi.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef int (*communicator_call)(void *comm);
typedef int (*revoked_call)(void *comm, int *flag);
typedef int (*register_call)(int (*callback)(void));

/* The engine turns some ten million times a second, so only one turn in this number looks. */
#define TURNS 16

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static communicator_call revoke;
static revoked_call is_revoked;

/* The communicators of the newest scope, in the order of their creation. look() tests the first. */
static int64_t newest; /* what a late thread still makes in an earlier one does not count */
static int64_t *comms;
static int count;
static int room;
static atomic_int members;  /* the same as count, for threads that must not wait for the lock: its holder may hang */
static atomic_int watching; /* 1: the first one has not been seen revoked yet */

static void revoke_all(void) {
    int flag = 0;
    if (count > 0 && is_revoked((void *)comms[0], &flag) == 0 && flag) {
        atomic_store(&watching, 0);
        for (int i = 1; i < count; i++) {
            revoke((void *)comms[i]);
        }
        kintsugi_wake_waits_again();
    }
}

/* Called by the progress engine, in any thread that is inside MPI. */
static int look(void) {
    static _Thread_local int turn;
    static _Thread_local int inside; /* revoking may turn the engine */
    if (atomic_load_explicit(&watching, memory_order_relaxed) == 0 || inside || ++turn % TURNS != 0) {
        return 0;
    }
    if (pthread_mutex_trylock(&lock) == 0) {
        inside = 1;
        revoke_all();
        inside = 0;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

/* Registers, once. With the lock held. */
static int prepare(void) {
    static int registered;
    if (registered) {
        return 0;
    }
    register_call add;
    *(void **)&add = dlsym(RTLD_DEFAULT, "opal_progress_register");
    *(void **)&revoke = dlsym(RTLD_DEFAULT, "MPIX_Comm_revoke");
    *(void **)&is_revoked = dlsym(RTLD_DEFAULT, "MPIX_Comm_is_revoked");
    if (add == NULL || revoke == NULL || is_revoked == NULL) {
        return ENOSYS;
    }
    if (add(look) != 0) {
        return ENOMEM;
    }
    registered = 1;
    return 0;
}

/* Room for one more. With the lock held. */
static int grow(void) {
    if (count < room) {
        return 0;
    }
    int larger = room == 0 ? 16 : 2 * room;
    int64_t *moved = realloc(comms, sizeof(*comms) * (size_t)larger);
    if (moved == NULL) {
        return ENOMEM;
    }
    comms = moved;
    room = larger;
    return 0;
}

static int add(int64_t scope, int64_t comm) {
    if (scope < newest) {
        return 0;
    }
    if (scope > newest) {
        newest = scope;
        count = 0;
        atomic_store(&members, 0);
    }
    int rc = grow();
    if (rc != 0) {
        return rc;
    }
    comms[count++] = comm;
    atomic_store(&members, count);
    if (count == 1) {
        atomic_store(&watching, 1);
    } else if (atomic_load(&watching) == 0) {
        revoke((void *)comm); /* the engine has looked already */
    }
    return 0;
}

int kintsugi_revoke_together(int64_t scope, int64_t comm) {
    pthread_mutex_lock(&lock);
    int rc = prepare();
    if (rc == 0) {
        rc = add(scope, comm);
    }
    pthread_mutex_unlock(&lock);
    return rc;
}

void kintsugi_revoke_alone(int64_t scope, int64_t comm) {
    pthread_mutex_lock(&lock);
    for (int i = scope == newest ? count - 1 : -1; i >= 0; i--) {
        if (comms[i] == comm) {
            for (int j = i + 1; j < count; j++) {
                comms[j - 1] = comms[j];
            }
            count--;
            atomic_store(&members, count);
            break;
        }
    }
    pthread_mutex_unlock(&lock);
}

int kintsugi_is_revoked_together(void) {
    return atomic_load(&members) > 0 && atomic_load(&watching) == 0;
}
