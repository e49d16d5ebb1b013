/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * Unix sockets and process descriptors, as the handover needs them. Every descriptor made here is closed by exec.
 */
#ifndef KINTSUGI_SOCKETS_H
#define KINTSUGI_SOCKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* The most descriptors that go with one message. */
#define MOST_DESCRIPTORS 3

/* Opens the socket at which stand-ins of a daemon's job find the nursery; -1: there is one already, or it is not
 * possible. */
int nursery_listen(pid_t daemon);

/* A connection to that nursery; -1: there is none, or it is another user's. */
int nursery_connect(pid_t daemon);

/* Accepts a caller's connection, which then never blocks; -1: no caller, or another user. */
int nursery_accept(int listener);

/* Sends all bytes and some descriptors (with the first byte). */
bool send_with(int socket, const void *bytes, size_t length, const int *descriptors, int count);

/* Receives exactly `length` bytes and `count` descriptors, or fails and keeps no descriptor. */
bool receive_with(int socket, void *bytes, size_t length, int *descriptors, int count);

/* A descriptor that becomes readable when the process has ended, for kill_by as well; -1: it is gone, or the kernel has
 * none. */
int process_descriptor(pid_t pid);

/* kill(2), but never to another process that got the same id. */
int kill_by(int descriptor, int signal);

#endif
