/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * The nursery: one process on each node, which starts JVMs, lets them park (WarmRank.java, warm.c), and gives one away
 * to each stand-in (standin.c) that asks. It stays the parent of those it gave away and tells their stand-ins how they
 * ended.
 *
 * Invariants:
 *  - It lives no longer than the launcher's daemon, on which it holds a process descriptor, and no JVM outlives it:
 *    each gets SIGKILL with its parent's death. It is no child of the daemon or of the rank beside it, which wait for
 *    their children: they see none that they did not start.
 *  - It holds none of the rank's descriptors, and none of those that a stand-in hands over: these go to the JVM
 *    directly, so it keeps open no output whose end others wait for.
 *  - A JVM that was given away and its stand-in live and die together. The stand-in's end is the end of its connection,
 *    and the kernel closes that before it tells the stand-in's parent.
 *  - It blocks only in poll. It starts one JVM at a time, some time after the ranks' start or a
 *    recovery, at a low priority if that can be raised again later.
 *  - After several JVMs that end before they have parked, it starts no more: ranks then start without it.
 */
#define _GNU_SOURCE
#include "nursery.h"

#include "command.h"
#include "handover.h"
#include "sockets.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/*
 * Delays from the ranks' start to that of the first JVM, and from a handover or a failure to that
 * of the next one. The start of a JVM takes half a second of a core. The ranks need that time when
 * they begin, and more so while they recover.
 */
#define FIRST_DELAY_MILLIS 300
#define NEXT_DELAY_MILLIS 1000

/* After this number of failed starts in a row no other JVM is started: the command line has a fault. */
#define MOST_FAILURES 3
/* The number of ranks of this node, where the launcher does not set it. */
#define USUAL_RANKS 64
/* Of a JVM that starts. A third of a rank's weight: the start makes progress, and takes little from the ranks. */
#define NICENESS 5
#define AUTOGROUP "/proc/self/autogroup"

enum state { FREE, STARTING, PARKED, GIVEN };

struct jvm {
    enum state state;
    pid_t pid;
    int process; /* its process descriptor */
    int socket;  /* STARTING, PARKED: to it */
    int rank;    /* GIVEN: to its stand-in */
};

struct nursery {
    int daemon;
    int listener;
    char **warm;
    uint64_t command;
    struct jvm *jvms;
    int slots; /* for the spares, and for one JVM that was given away to each rank of the node */
    int spares;
    int failures;
    int64_t next_start; /* when the next JVM may be started, in milliseconds */
    bool may_be_nice;
    unsigned char affinity[AFFINITY_MAX_BYTES]; /* the rank's */
    long affinity_bytes;
};

static int64_t now_millis(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void close_all_but(int kept, int kept_too) {
    DIR *folder = opendir("/proc/self/fd");
    if (folder == NULL) {
        return;
    }
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        int descriptor = atoi(entry->d_name);
        if (descriptor > STDERR_FILENO && descriptor != kept && descriptor != kept_too && descriptor != dirfd(folder)) {
            close(descriptor);
        }
    }
    closedir(folder);
}

/* Whether a process of this user may lower its priority and raise it again. */
static bool way_back_from_nice(void) {
    pid_t probe = fork();
    if (probe == 0) {
        int usual = getpriority(PRIO_PROCESS, 0);
        _exit(setpriority(PRIO_PROCESS, 0, usual + 1) == 0 && setpriority(PRIO_PROCESS, 0, usual) == 0 ? 0 : 1);
    }
    int status;
    return probe > 0 && waitpid(probe, &status, 0) == probe && status == 0;
}

/* Lowers the priority, so that the ranks get most of the processor. WarmRank undoes this just before it parks. */
static void be_nice(bool may_be_nice) {
    if (may_be_nice) {
        (void)setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + NICENESS);
    }
    /* Where the kernel shares processors among sessions first, the session's priority counts; any process may raise
     * it again. */
    int file = open(AUTOGROUP, O_WRONLY | O_CLOEXEC);
    if (file >= 0) {
        ssize_t ignored = write(file, "5", 1);
        (void)ignored;
        close(file);
    }
}

/* Runs in the child. */
static _Noreturn void become_jvm(const struct nursery *nursery, pid_t parent, int socket) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(1);
    }
    setsid();
    be_nice(nursery->may_be_nice);
    if (nursery->affinity_bytes > 0) {
        /* The affinity of a rank: a JVM reads the number of processors at its start. */
        (void)syscall(SYS_sched_setaffinity, 0, nursery->affinity_bytes, nursery->affinity);
    }
    if (socket == WARM_SOCKET ? fcntl(socket, F_SETFD, 0) == 0 : dup2(socket, WARM_SOCKET) == WARM_SOCKET) {
        execvp(nursery->warm[0], nursery->warm);
    }
    _exit(127);
}

static void start_jvm(struct nursery *nursery, struct jvm *jvm) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
        nursery->failures++;
        return;
    }
    pid_t parent = getpid();
    pid_t pid = fork();
    if (pid == 0) {
        become_jvm(nursery, parent, pair[1]);
    }
    close(pair[1]);
    int process = pid > 0 ? process_descriptor(pid) : -1;
    if (process < 0) {
        if (pid > 0) {
            kill(pid, SIGKILL);
            waitpid(pid, NULL, 0);
        }
        close(pair[0]);
        nursery->failures++;
        return;
    }
    *jvm = (struct jvm){STARTING, pid, process, pair[0], -1};
}

static int count(const struct nursery *nursery, enum state state) {
    int found = 0;
    for (int i = 0; i < nursery->slots; i++) {
        found += nursery->jvms[i].state == state;
    }
    return found;
}

static struct jvm *first(struct nursery *nursery, enum state state) {
    for (int i = 0; i < nursery->slots; i++) {
        if (nursery->jvms[i].state == state) {
            return &nursery->jvms[i];
        }
    }
    return NULL;
}

static bool wants_more(const struct nursery *nursery) {
    return nursery->failures < MOST_FAILURES && count(nursery, STARTING) == 0 &&
           count(nursery, PARKED) < nursery->spares && count(nursery, FREE) > 0;
}

static void postpone(struct nursery *nursery) {
    nursery->next_start = now_millis() + NEXT_DELAY_MILLIS;
}

/* Answers a stand-in: with a JVM, or that there is none. */
static void serve(struct nursery *nursery, int connection) {
    struct request request;
    struct offer offer = {0};
    struct jvm *jvm = first(nursery, PARKED);
    bool asks = receive_with(connection, &request, sizeof request, NULL, 0);
    if (!asks || jvm == NULL || request.command != nursery->command) {
        if (asks) {
            (void)send_with(connection, &offer, sizeof offer, NULL, 0);
        }
        close(connection);
        return;
    }
    offer.pid = jvm->pid;
    int descriptors[] = {jvm->socket, jvm->process};
    if (!send_with(connection, &offer, sizeof offer, descriptors, 2)) {
        close(connection);
        return;
    }
    close(jvm->socket);
    jvm->socket = -1;
    jvm->rank = connection;
    jvm->state = GIVEN;
    postpone(nursery);
}

static void ended(struct nursery *nursery, struct jvm *jvm) {
    struct ending ending;
    int status = 0;
    if (waitpid(jvm->pid, &status, WNOHANG) != jvm->pid) {
        return;
    }
    if (jvm->state == GIVEN) {
        ending.status = status;
        (void)send_with(jvm->rank, &ending, sizeof ending, NULL, 0);
        close(jvm->rank);
    } else {
        close(jvm->socket);
        nursery->failures++;
        postpone(nursery);
    }
    close(jvm->process);
    jvm->state = FREE;
}

/* Reads from a starting JVM that it has parked. Its process descriptor shows its end. */
static void parked(struct nursery *nursery, struct jvm *jvm) {
    char word = 0;
    if (receive_with(jvm->socket, &word, 1, NULL, 0) && word == WARM_PARKED) {
        jvm->state = PARKED;
        nursery->failures = 0;
    } else {
        (void)kill_by(jvm->process, SIGKILL);
    }
}

/* The connection of a stand-in is readable, which can only be its end. */
static void abandoned(struct jvm *jvm) {
    /* With its children, so that no process of the rank remains. The id is still its own: it is our
     * child, and its end has not been collected yet. */
    (void)kill(-jvm->pid, SIGKILL);
    close(jvm->rank);
    jvm->rank = -1;
}

static _Noreturn void run(struct nursery *nursery) {
    struct pollfd *polled = calloc((size_t)nursery->slots * 2 + 3, sizeof *polled);
    if (polled == NULL) {
        _exit(1);
    }
    int asking = -1; /* a stand-in that has connected, but not asked yet */
    for (;;) {
        if (wants_more(nursery) && now_millis() >= nursery->next_start) {
            start_jvm(nursery, first(nursery, FREE));
        }
        polled[0] = (struct pollfd){.fd = nursery->daemon, .events = POLLIN};
        polled[1] = (struct pollfd){.fd = asking < 0 ? nursery->listener : -1, .events = POLLIN};
        polled[2] = (struct pollfd){.fd = asking, .events = POLLIN};
        for (int i = 0; i < nursery->slots; i++) {
            const struct jvm *jvm = &nursery->jvms[i];
            int talk = jvm->state == STARTING ? jvm->socket : jvm->state == GIVEN ? jvm->rank : -1;
            polled[3 + 2 * i] = (struct pollfd){.fd = jvm->state == FREE ? -1 : jvm->process, .events = POLLIN};
            polled[4 + 2 * i] = (struct pollfd){.fd = talk, .events = POLLIN};
        }
        int64_t wait = nursery->next_start - now_millis();
        int timeout = !wants_more(nursery) ? -1 : wait > 0 ? (int)wait : 0;
        if (poll(polled, (nfds_t)nursery->slots * 2 + 3, timeout) < 0 && errno != EINTR) {
            _exit(1);
        }
        if (polled[0].revents != 0) {
            _exit(0); /* and all JVMs with it */
        }
        for (int i = 0; i < nursery->slots; i++) {
            struct jvm *jvm = &nursery->jvms[i];
            if (polled[3 + 2 * i].revents != 0) {
                ended(nursery, jvm);
            } else if (polled[4 + 2 * i].revents != 0) {
                jvm->state == STARTING ? parked(nursery, jvm) : abandoned(jvm);
            }
        }
        if (polled[1].revents != 0) {
            asking = nursery_accept(nursery->listener);
        } else if (polled[2].revents != 0) {
            serve(nursery, asking);
            asking = -1;
        }
    }
}

/* Runs in the nursery's process. */
static _Noreturn void become_nursery(char **command, int spares, int daemon, int listener) {
    static struct nursery nursery;
    int null = open("/dev/null", O_RDWR);
    for (int descriptor = 0; descriptor <= STDERR_FILENO; descriptor++) {
        if (null < 0 || dup2(null, descriptor) < 0) {
            _exit(1);
        }
    }
    close_all_but(daemon, listener);
    nursery.daemon = daemon;
    nursery.listener = listener;
    nursery.command = command_hash(command);
    nursery.warm = command_warm(command);
    nursery.spares = spares;
    const char *ranks = getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    nursery.slots = 2 * spares + (ranks == NULL || atoi(ranks) <= 0 ? USUAL_RANKS : atoi(ranks));
    nursery.jvms = calloc((size_t)nursery.slots, sizeof *nursery.jvms);
    nursery.may_be_nice = way_back_from_nice();
    nursery.next_start = now_millis() + FIRST_DELAY_MILLIS;
    if (nursery.warm == NULL || nursery.jvms == NULL) {
        _exit(1);
    }
    /* The daemon may have bound the rank, and so this process, to a core that the rank keeps busy. */
    nursery.affinity_bytes = syscall(SYS_sched_getaffinity, 0, sizeof nursery.affinity, nursery.affinity);
    unsigned char everywhere[AFFINITY_MAX_BYTES];
    for (size_t i = 0; i < sizeof everywhere; i++) {
        everywhere[i] = 0xff;
    }
    (void)syscall(SYS_sched_setaffinity, 0, sizeof everywhere, everywhere);
    run(&nursery);
}

void nursery_start(char **command, int spares) {
    pid_t parent = getppid();
    int daemon = process_descriptor(parent);
    int listener = daemon >= 0 && getppid() == parent ? nursery_listen(parent) : -1;
    if (listener >= 0) {
        /* Forks twice, so that it is not a child of the java that this process becomes. */
        pid_t between = fork();
        if (between == 0) {
            setsid();
            if (fork() == 0) {
                become_nursery(command, spares, daemon, listener);
            }
            _exit(0);
        }
        while (between > 0 && waitpid(between, NULL, 0) < 0 && errno == EINTR) {
            /* Again. */
        }
        close(listener);
    }
    if (daemon >= 0) {
        close(daemon);
    }
}
