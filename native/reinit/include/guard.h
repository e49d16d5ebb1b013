/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * The guard between each native method and MPI. The generated bindings include it right after
 * mpi.h, in place of include/guard.h. rollback.c explains the whole; this file handles single
 * calls.
 *
 *   - WAITS: the call may wait for other processes. A jump point is set, and the signal handler comes back to it when a
 *     failure is known: the call then has no result but the code MPI_ERR_PROC_FAILED.
 *   - TALKS: the call deals with other processes, but waits for none (a nonblocking send, a test). It is not begun
 *     when a failure is known, and never interrupted.
 *   - All other calls are local, and have no guard.
 *
 * The jump point lives in the frame of the function that calls MPI, so that the frame is there when the jump comes;
 * nothing in that frame has a destructor, and nothing in it is read after the jump. sigsetjmp does not save the mask:
 * that would be a system call in each of our calls.
 */
#ifndef KINTSUGI_GUARD_H
#define KINTSUGI_GUARD_H

#include "entry.h"

#define MPI_ERR_PROC_FAILED KINTSUGI_ERR_PROC_FAILED

/* From here on the calling function's callees have their frames KINTSUGI_APART_BYTES further down the stack, if
 * there is room: no other code has frames there before the rollback is over. rollback.c (k) gives the reason. */
#define kintsugi_set_apart()                                                                                           \
    do {                                                                                                               \
        char *here = (char *)__builtin_frame_address(0);                                                               \
        size_t bytes = (size_t)(here - kintsugi_guard.stack_end) > KINTSUGI_ROOM_BYTES ? KINTSUGI_APART_BYTES : 1;     \
        asm volatile("" : : "r"(__builtin_alloca(bytes)) : "memory");                                                  \
    } while (0)

template <typename... Parameters, typename... Arguments>
__attribute__((noinline)) int kintsugi_waits(int (*call)(Parameters...), Arguments... arguments) {
    int refused = kintsugi_entry_refused();
    if (refused != 0) {
        return refused;
    }
    if (kintsugi_guard.callback) {
        return call(arguments...); /* from inside a callback: unguarded */
    }
    if (sigsetjmp(kintsugi_guard.jump, 0) != 0) {
        kintsugi_guard_landed();
        return MPI_ERR_PROC_FAILED;
    }
    kintsugi_set_apart();
    kintsugi_entry_open();
    int result = kintsugi_guard.pending ? MPI_ERR_PROC_FAILED : call(arguments...);
    kintsugi_entry_close();
    return result;
}

template <typename... Parameters, typename... Arguments>
inline int kintsugi_talks(int (*call)(Parameters...), Arguments... arguments) {
    int refused = kintsugi_entry_refused();
    return refused != 0 ? refused : call(arguments...);
}

#define WAITS(function, ...) kintsugi_waits(function, __VA_ARGS__)
#define TALKS(function, ...) kintsugi_talks(function, __VA_ARGS__)

#include "absent.h"
#include "guarded.h"

/* MPI has no text for the two codes of ours. */
static inline int kintsugi_error_class(int code, int *error_class) {
    if (code == MPI_ERR_PROC_FAILED || code == KINTSUGI_ERR_THREAD) {
        *error_class = code == MPI_ERR_PROC_FAILED ? code : MPI_ERR_OTHER;
        return MPI_SUCCESS;
    }
    return MPI_Error_class(code, error_class);
}

static inline int kintsugi_error_string(int code, char *string, int *length) {
    const char *text = code == MPI_ERR_PROC_FAILED ? "a process of the job has failed, and the job rolls back"
                       : code == KINTSUGI_ERR_THREAD
                           ? "called on another thread than the one that initialised MPI, which this MPI does not allow"
                           : NULL;
    if (text == NULL) {
        return MPI_Error_string(code, string, length);
    }
    *length = (int)strlen(text);
    memcpy(string, text, *length + 1);
    return MPI_SUCCESS;
}

#define MPI_Error_class(code, error_class) kintsugi_error_class(code, error_class)
#define MPI_Error_string(code, string, length) kintsugi_error_string(code, string, length)

#endif
