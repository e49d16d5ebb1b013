/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * The messages between kintsugi-rank, the nursery and a warm JVM (native/reinit/warm.c). All are of one build, on one
 * node, of one user; integers are the machine's own.
 *
 *     stand-in -> nursery: struct request, on an abstract Unix socket of packets, named in sockets.c
 *     nursery -> stand-in: struct offer, with two descriptors, unless there is no JVM to give: the other end of the
 *                          JVM's socket, and a pidfd of the JVM
 *     nursery -> stand-in: struct ending, once the JVM has ended
 *
 *     JVM -> nursery:      WARM_PARKED, on a stream, which is descriptor WARM_SOCKET of the JVM
 *     stand-in -> JVM:     on the same stream struct package, with descriptors 0, 1 and 2; then the affinity mask;
 *                          then the environment, its strings one after the other
 *     JVM -> stand-in:     WARM_GOES: all of it is in force, Main is called next
 *
 * A process that closes a connection early, or dies, has failed; the other side goes on without it.
 */
#ifndef KINTSUGI_HANDOVER_H
#define KINTSUGI_HANDOVER_H

#include <stdint.h>

/* The descriptor on which a warm JVM finds its socket. */
#define WARM_SOCKET 3

#define WARM_PARKED 'p'
#define WARM_GOES 'g'

struct request {
    uint64_t command; /* a hash of the command line and the working directory: only for the same a JVM is warm */
};

struct offer {
    int32_t pid; /* 0: none is ready */
};

struct ending {
    int32_t status; /* as waitpid has it */
};

struct package {
    int32_t daemon;             /* the launcher's process on this node: the rank's parent */
    uint32_t affinity_bytes;    /* as sched_getaffinity(2) fills it */
    uint32_t environment_bytes; /* with the zero after each string */
};

/* A mask for as many processors as Linux can have. */
#define AFFINITY_MAX_BYTES 8192

#endif
