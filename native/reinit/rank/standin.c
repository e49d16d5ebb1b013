/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * The stand-in: asks the nursery for a warm JVM, gives it all that the daemon gave to this process, and from then on is
 * to the daemon what the JVM would be.
 *
 * Invariants:
 *  - It ends as the JVM ends: with the same exit code, or by the same signal. Should it be killed itself, the nursery
 *    kills the JVM (the end of the connection tells it); should the nursery be gone, so is the JVM, and this process
 *    kills itself.
 *  - Every signal that the daemon or anybody sends to it reaches the JVM once: all are blocked and read one by one (as
 *    ever, several of one kind that nobody has taken yet are one). The JVM is in a session of its own, so a signal to
 *    this process's group does not reach it a second time. SIGKILL and SIGSTOP cannot be read: the one ends both, the
 *    other stops only this process.
 *  - SIGUSR1 is ignored until the JVM has everything, and the JVM ignores it until MPI: see rank.c.
 *  - Nobody is waited for long: what a JVM cannot do within PATIENCE_MILLIS, java started anew can.
 */
#define _GNU_SOURCE
#include "standin.h"

#include "command.h"
#include "handover.h"
#include "sockets.h"

#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* The nursery answers in less than one; without it a JVM is started, in some 400. */
#define PATIENCE_MILLIS 200

extern char **environ;

struct warm {
    int nursery;
    int socket;
    int process;
};

static bool is_readable(int descriptor) {
    struct pollfd polled = {.fd = descriptor, .events = POLLIN};
    return poll(&polled, 1, PATIENCE_MILLIS) == 1;
}

static bool ask(char **command, struct warm *warm) {
    struct request request = {command_hash(command)};
    struct offer offer;
    int descriptors[2];
    warm->nursery = nursery_connect(getppid());
    if (warm->nursery < 0) {
        return false;
    }
    if (send_with(warm->nursery, &request, sizeof request, NULL, 0) && is_readable(warm->nursery) &&
        receive_with(warm->nursery, &offer, sizeof offer, descriptors, 2)) {
        warm->socket = descriptors[0];
        warm->process = descriptors[1];
        return true;
    }
    close(warm->nursery);
    return false;
}

static bool hand_over(int socket) {
    unsigned char affinity[AFFINITY_MAX_BYTES];
    long affinity_bytes = syscall(SYS_sched_getaffinity, 0, sizeof affinity, affinity);
    size_t length = 0;
    for (char **variable = environ; *variable != NULL; variable++) {
        length += strlen(*variable) + 1;
    }
    struct package package = {(int32_t)getppid(), affinity_bytes > 0 ? (uint32_t)affinity_bytes : 0, (uint32_t)length};
    size_t total = package.affinity_bytes + length;
    char *rest = malloc(total + 1);
    if (rest == NULL) {
        return false;
    }
    memcpy(rest, affinity, package.affinity_bytes);
    char *next = rest + package.affinity_bytes;
    for (char **variable = environ; *variable != NULL; variable++) {
        next = stpcpy(next, *variable) + 1;
    }
    const int streams[] = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};
    char word = 0;
    bool done = send_with(socket, &package, sizeof package, streams, 3) && send_with(socket, rest, total, NULL, 0) &&
                is_readable(socket) && receive_with(socket, &word, 1, NULL, 0) && word == WARM_GOES;
    free(rest);
    return done;
}

static _Noreturn void end_by(int signal) {
    /* A core file would be that of the JVM, not of this process. */
    prctl(PR_SET_DUMPABLE, 0);
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    struct sigaction usual = {.sa_handler = SIG_DFL};
    sigaction(signal, &usual, NULL);
    sigset_t just_this;
    sigemptyset(&just_this);
    sigaddset(&just_this, signal);
    kill(getpid(), signal);
    sigprocmask(SIG_UNBLOCK, &just_this, NULL);
    _exit(128 + signal); /* reached only after signals that end no process */
}

static _Noreturn void end_as(int status) {
    if (WIFSIGNALED(status)) {
        end_by(WTERMSIG(status));
    }
    _exit(WEXITSTATUS(status));
}

static _Noreturn void relay(const struct warm *warm, int signals) {
    struct pollfd polled[] = {{.fd = warm->nursery, .events = POLLIN}, {.fd = signals, .events = POLLIN}};
    for (;;) {
        if (poll(polled, 2, -1) < 0) {
            continue;
        }
        if (polled[1].revents != 0) {
            struct signalfd_siginfo taken;
            if (read(signals, &taken, sizeof taken) == sizeof taken && taken.ssi_signo != SIGCHLD) {
                (void)kill_by(warm->process, (int)taken.ssi_signo);
            }
        }
        if (polled[0].revents != 0) {
            struct ending ending;
            if (receive_with(warm->nursery, &ending, sizeof ending, NULL, 0)) {
                end_as(ending.status);
            }
            end_by(SIGKILL);
        }
    }
}

void stand_in(char **command) {
    struct warm warm;
    if (!ask(command, &warm)) {
        return;
    }
    sigset_t all;
    sigset_t usual;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &usual);
    int signals = signalfd(-1, &all, SFD_CLOEXEC);
    if (signals >= 0 && hand_over(warm.socket)) {
        close(warm.socket);
        /* Only the JVM must keep these open, so that their readers see its end. */
        for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) {
            close(stream);
        }
        relay(&warm, signals);
    }
    /* The end of the connection is the end of the JVM. */
    (void)kill_by(warm.process, SIGKILL);
    close(warm.process);
    close(warm.socket);
    close(warm.nursery);
    if (signals >= 0) {
        close(signals);
    }
    sigprocmask(SIG_SETMASK, &usual, NULL);
}
