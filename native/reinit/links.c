/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * When a rank fails, its connections to the ranks of other nodes break at once; the launcher's signal comes some
 * milliseconds later. The fork's reaction in between (the BTL tcp below the PML ob1) costs the job, or its result:
 *
 *   - A send that fails, or a connection that is refused, ends the process ("FATAL", ompi_rte_abort): a second process failure.
 *   - Survivors, too, close their connections when they roll back, one earlier, one later. A rank that is later opens a
 *     new connection for its pending messages. So a message of the old world, or a connection that is closed as soon as
 *     this rank rolls back, gets into the new world of the other: a wrong result, or a lost message and a hang.
 *
 * So the transport's calls go through this file, and their result depends on the state of the epoch:
 *
 *     EPOCH       links_begin: the body runs. A connection that breaks falls silent: it takes nothing, brings nothing, and
 *                 never ends, because it is replaced by the end of an unused pipe. An error that ob1 raises all the same
 *                 does not end the process. The rollback ends the waiting.
 *     ABANDONED   links_abandon: the body has been left. As EPOCH, and in addition nothing is sent any more, and no
 *                 connection is begun. So a rank in its new world can get from a rank that is not there yet only a
 *                 connection without a message.
 *     RELEASED    links_release: all have abandoned the epoch (they have passed the fork's first fence), and the fork
 *                 closes all connections. Sockets behave as usual: a rank that has accepted such a late connection in its
 *                 new world sees it end when the other side closes it, which is before the second fence. So
 *                 after that fence links_begin reads for a while before the new epoch sends its
 *                 first message.
 *
 * If a connection breaks although no process has failed, there is no rollback. Then the process ends as it would have at
 * first, but PATIENCE_SECONDS later: a process failure like any other, from which the job recovers.
 *
 * All of it is done by the thread that calls MPI. Where TCP is not used, or the fork's components are not libraries of
 * their own (--disable-dlopen), nothing is done.
 */
#define _GNU_SOURCE
#include "links.h"

#include "board.h"
#include "interpose.h"
#include "rollback.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

/* Longer than the launcher needs to report a failure (a silent node: 3 s), shorter than the limit of a recovery. */
#define PATIENCE_SECONDS 30
/* Turns that a connection needs: to accept it, read the peer's name, take it over, and see its
 * end. */
#define TURNS 64

static enum { RELEASED, EPOCH, ABANDONED } phase = RELEASED;
static int silent = -1;
/* Whether a message could not be sent in this epoch, and the time until which a rollback is
 * awaited. */
static _Bool waiting;
static struct timespec deadline;
static void (*end_process)(int, char *, ...);
/* Whether TCP is used. Each progress turn polls the sockets while the transport counts a user of
 * events; otherwise one turn in ten milliseconds does. The transport subtracts more users than
 * it adds: it subtracts also for a connection that is closed before it was made. So if TCP is
 * used, one user is added for each epoch and each refusal. */
static _Bool is_used;
static void (*add_user_of_events)(void);
static void (*remove_user_of_events)(void);

static _Bool is_broken(ssize_t result) {
    return result < 0 && errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK && errno != EFAULT;
}

static void await_rollback(void) {
    if (!waiting) {
        waiting = 1;
        deadline = board_in_millis(PATIENCE_SECONDS * 1000L);
    }
}

/* Makes a socket silent: a wait for it never ends, and an operation on it would block. */
static ssize_t fall_silent(int socket) {
    dup3(silent, socket, O_CLOEXEC);
    errno = EAGAIN;
    return -1;
}

static ssize_t link_writev(int socket, const struct iovec *parts, int count) {
    if (phase == ABANDONED) {
        return fall_silent(socket); /* after EAGAIN alone the event loop would try again for ever */
    }
    ssize_t sent = writev(socket, parts, count);
    if (phase == EPOCH && is_broken(sent)) {
        await_rollback();
        return fall_silent(socket);
    }
    return sent;
}

static ssize_t link_readv(int socket, const struct iovec *parts, int count) {
    ssize_t received = readv(socket, parts, count);
    if (received != 0 && !is_broken(received)) {
        return received;
    }
    return phase == RELEASED ? 0 : fall_silent(socket);
}

/* In a handshake: the end of the other process shows when its answer is read. */
static ssize_t link_send(int socket, const void *data, size_t bytes, int flags) {
    ssize_t sent = send(socket, data, bytes, flags);
    return is_broken(sent) ? (ssize_t)bytes : sent;
}

/* In a handshake: the transport closes the connection, keeps its unsent messages, and reports the end to ob1. */
static ssize_t link_recv(int socket, void *data, size_t bytes, int flags) {
    is_used = 1;
    ssize_t received = recv(socket, data, bytes, flags);
    return is_broken(received) ? 0 : received;
}

static void refuse(void) {
    add_user_of_events();
    await_rollback();
}

static int link_connect(int socket, const struct sockaddr *address, socklen_t bytes) {
    is_used = 1;
    int result = phase == ABANDONED ? -1 : connect(socket, address, bytes);
    if (phase == ABANDONED || (phase == EPOCH && result != 0 && errno != EINPROGRESS && errno != EINTR)) {
        refuse();
        fall_silent(socket);
        errno = EINPROGRESS;
    }
    return result;
}

/* Called once when a connection has been made, or refused. */
static int link_getsockopt(int socket, int level, int option, void *value, socklen_t *bytes) {
    int result = getsockopt(socket, level, option, value, bytes);
    if (phase != RELEASED && level == SOL_SOCKET && option == SO_ERROR && result == 0 && *(int *)value != 0) {
        refuse();
        *(int *)value = EINPROGRESS; /* then the transport waits, and does not call this again */
    }
    return result;
}

static void on_fatal_error(int code, char *format, ...) {
    if (phase == RELEASED) {
        end_process(code, format); /* it takes no more arguments from ob1 */
    }
    /* If ob1 passes a text, a handshake has failed. The cause is a second connection between the same two ranks, which
     * is harmless, or a process failure, which the launcher will report. So the time limit starts only if there is no
     * text. */
    if (format == NULL) {
        await_rollback();
    }
}

/*
 * One of MPI's progress functions; it returns how much progress it has made.
 *
 * This function ends the process, and prints why. It cannot leave that to Java: the thread is in the middle of a wait of
 * MPI, which only the launcher's signal may cut short (rollback.c, a), and that does not come. MPI hands no return code of a
 * progress function up to Java, either. Without the line nothing would say why this rank has ended.
 */
static int watch(void) {
    /* A program may compute for long between its signal and the call that rolls back. */
    if (phase == EPOCH && waiting && !kintsugi_guard.pending && board_is_over(&deadline)) {
        fprintf(stderr,
                "kintsugi: a connection to another rank broke %d s ago, and no failure has been reported since: this "
                "rank ends\n",
                PATIENCE_SECONDS);
        end_process(-1, NULL);
    }
    return 0;
}

int links_adapt(void) {
    static const struct replacement of_tcp[] = {
        {.symbol = "writev", .address = (void *)link_writev},
        {.symbol = "readv", .address = (void *)link_readv},
        {.symbol = "send", .address = (void *)link_send},
        {.symbol = "recv", .address = (void *)link_recv},
        {.symbol = "connect", .address = (void *)link_connect},
        {.symbol = "getsockopt", .address = (void *)link_getsockopt},
    };
    static const struct replacement of_ob1[] = {{.symbol = "ompi_rte_abort", .address = (void *)on_fatal_error}};
    int ends[2];
    int (*add)(int (*)(void));
    *(void **)&add = dlsym(RTLD_DEFAULT, "opal_progress_register_lp");
    *(void **)&end_process = dlsym(RTLD_DEFAULT, "ompi_rte_abort");
    *(void **)&add_user_of_events = dlsym(RTLD_DEFAULT, "opal_progress_event_users_increment");
    *(void **)&remove_user_of_events = dlsym(RTLD_DEFAULT, "opal_progress_event_users_decrement");
    if (add == NULL || end_process == NULL || add_user_of_events == NULL || remove_user_of_events == NULL) {
        return ENOSYS;
    }
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) {
        return errno;
    }
    silent = ends[0]; /* the other end stays open, too: without it this one would end */
    add(watch);
    int rc = interpose_in("mca_btl_tcp.so", of_tcp, sizeof of_tcp / sizeof of_tcp[0]);
    if (rc == 0) {
        rc = interpose_in("mca_pml_ob1.so", of_ob1, sizeof of_ob1 / sizeof of_ob1[0]);
    }
    return rc == ENOENT ? 0 : rc;
}

void links_begin(void (*progress)(void)) {
    if (silent >= 0) {
        add_user_of_events();
        for (int turn = 0; turn < TURNS; turn++) {
            progress();
        }
        if (!is_used) {
            remove_user_of_events();
        }
    }
    waiting = 0;
    phase = EPOCH;
}

void links_abandon(void) {
    phase = ABANDONED;
}

void links_release(void) {
    phase = RELEASED;
}
