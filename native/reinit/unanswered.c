/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * Preloaded into the fork's mpirun and its daemons: each detects that the other's node has fallen
 * silent, also while data is under way between them.
 *
 * The launcher sets keepalives on its connections (oob_tcp_keepalive_*). TCP sends those only while
 * nothing waits for an acknowledgement. A daemon that has just passed on a rank's output detects
 * the silence when the retransmissions end, a quarter of an hour later. Until then its ranks, which
 * have been declared failed and replaced, live on. So unacknowledged data gets the limit that the
 * keepalives give an idle connection. (Open MPI 5: patch prrte/0002.)
 */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <sys/socket.h>

typedef int setsockopt_function(int socket, int level, int option, const void *value, socklen_t length);

static int number(int socket, int option) {
    int value = 0;
    socklen_t length = sizeof value;
    return getsockopt(socket, IPPROTO_TCP, option, &value, &length) == 0 ? value : 0;
}

int setsockopt(int socket, int level, int option, const void *value, socklen_t length) {
    static setsockopt_function *next;
    if (next == NULL) {
        next = (setsockopt_function *)dlsym(RTLD_NEXT, "setsockopt");
    }
    int rc = next(socket, level, option, value, length);
    /* the last of the three that the launcher sets */
    if (rc == 0 && level == IPPROTO_TCP && option == TCP_KEEPCNT) {
        int seconds = number(socket, TCP_KEEPIDLE) + number(socket, TCP_KEEPINTVL) * number(socket, TCP_KEEPCNT);
        unsigned int millis = 1000U * (unsigned int)seconds;
        next(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &millis, sizeof millis);
    }
    return rc;
}
