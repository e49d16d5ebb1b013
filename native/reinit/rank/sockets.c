/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * The nursery's address is an abstract one: there is no file to remove, a path's length has no
 * limit, and the address ends with the nursery. Any user of the node can see it or take it first,
 * so both sides check the user of the other: a rank's environment goes over it, and commands that a
 * JVM obeys.
 */
#define _GNU_SOURCE
#include "sockets.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

static socklen_t nursery_address(pid_t daemon, struct sockaddr_un *address) {
    const char *job = getenv("PMIX_NAMESPACE");
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    /* The first byte is zero, which makes the address abstract. */
    int length = snprintf(address->sun_path + 1, sizeof address->sun_path - 1, "kintsugi-nursery/%ld/%ld/%.48s",
                          (long)geteuid(), (long)daemon, job == NULL ? "" : job);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
}

static bool is_same_user(int socket) {
    struct ucred peer;
    socklen_t length = sizeof peer;
    return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 && peer.uid == geteuid();
}

static int closed(int descriptor) {
    if (descriptor >= 0) {
        close(descriptor);
    }
    return -1;
}

int nursery_listen(pid_t daemon) {
    struct sockaddr_un address;
    socklen_t length = nursery_address(daemon, &address);
    int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, length) != 0 || listen(listener, 64) != 0) {
        return closed(listener);
    }
    return listener;
}

int nursery_connect(pid_t daemon) {
    struct sockaddr_un address;
    socklen_t length = nursery_address(daemon, &address);
    int connection = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (connection < 0 || connect(connection, (struct sockaddr *)&address, length) != 0 || !is_same_user(connection)) {
        return closed(connection);
    }
    return connection;
}

int nursery_accept(int listener) {
    int connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    return connection >= 0 && is_same_user(connection) ? connection : closed(connection);
}

union descriptors {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(MOST_DESCRIPTORS * sizeof(int))];
};

bool send_with(int socket, const void *bytes, size_t length, const int *descriptors, int count) {
    union descriptors control;
    memset(&control, 0, sizeof control);
    const char *next = bytes;
    while (length > 0) {
        struct iovec part = {(void *)next, length};
        struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
        if (count > 0) {
            size_t size = (size_t)count * sizeof *descriptors;
            message.msg_control = control.bytes;
            message.msg_controllen = CMSG_SPACE(size);
            control.header.cmsg_level = SOL_SOCKET;
            control.header.cmsg_type = SCM_RIGHTS;
            control.header.cmsg_len = CMSG_LEN(size);
            memcpy(CMSG_DATA(&control.header), descriptors, size);
        }
        ssize_t sent = sendmsg(socket, &message, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) {
            continue;
        }
        if (sent <= 0) {
            return false;
        }
        next += sent;
        length -= (size_t)sent;
        count = 0;
    }
    return true;
}

static int take_descriptors(struct msghdr *message, int *descriptors, int count) {
    int taken = 0;
    for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part != NULL; part = CMSG_NXTHDR(message, part)) {
        if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) {
            continue;
        }
        int here = (int)((part->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        for (int i = 0; i < here; i++) {
            int descriptor;
            memcpy(&descriptor, CMSG_DATA(part) + (size_t)i * sizeof(int), sizeof descriptor);
            if (taken < count) {
                descriptors[taken++] = descriptor;
            } else {
                close(descriptor);
            }
        }
    }
    return taken;
}

bool receive_with(int socket, void *bytes, size_t length, int *descriptors, int count) {
    union descriptors control;
    char *next = bytes;
    int taken = 0;
    while (length > 0) {
        struct iovec part = {next, length};
        struct msghdr message = {
            .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
        ssize_t received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
        if (received < 0 && errno == EINTR) {
            continue;
        }
        if (received > 0) {
            taken += take_descriptors(&message, descriptors + taken, count - taken);
            next += received;
            length -= (size_t)received;
        } else {
            break;
        }
    }
    if (length == 0 && taken == count) {
        return true;
    }
    while (taken > 0) {
        close(descriptors[--taken]);
    }
    return false;
}

int process_descriptor(pid_t pid) {
    return (int)syscall(SYS_pidfd_open, pid, 0); /* closed by exec, always */
}

int kill_by(int descriptor, int signal) {
    return (int)syscall(SYS_pidfd_send_signal, descriptor, signal, NULL, 0);
}
