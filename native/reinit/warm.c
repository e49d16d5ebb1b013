/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * The C side of org.kintsugi.reinit.WarmRank: a JVM that has started already waits here until a dead rank needs
 * it, and then becomes what kintsugi-rank would have become by exec. The protocol is in native/reinit/rank/handover.h.
 *
 * Invariants:
 *  - It waits in a plain read on the main thread: in native code, so it holds up nobody in the JVM.
 *  - Until then no code of the program has run.
 *  - The environment is replaced in C, and then in Java, where java.lang.ProcessEnvironment keeps a copy from the first
 *    look on; JavaCPP has made it look. Its static initialiser is run again for that. No specification promises that
 *    this works, so it is tried before anything depends on it.
 *  - All of it is in force before Main is called, or Main is not called.
 */
#define _GNU_SOURCE
#include "kintsugi.h"

#include "../src/process.h"
#include "rank/handover.h"
#include "rank/sockets.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <jni.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PLUGINS "/openmpi/mca_*.so"
#define AUTOGROUP "/proc/self/autogroup"
#define AUTOGROUP_TRIES 5
/* Slightly more than the tenth of a second within which the kernel accepts one change. */
#define AUTOGROUP_WAIT_NANOS 110000000

/* Calls for each thread of this process. */
static void each_thread(void (*act)(pid_t thread, const void *argument), const void *argument) {
    DIR *threads = opendir("/proc/self/task");
    if (threads == NULL) {
        return;
    }
    for (struct dirent *entry = readdir(threads); entry != NULL; entry = readdir(threads)) {
        if (entry->d_name[0] != '.') {
            act((pid_t)atoi(entry->d_name), argument);
        }
    }
    closedir(threads);
}

static void set_niceness(pid_t thread, const void *argument) {
    (void)setpriority(PRIO_PROCESS, (id_t)thread, *(const int *)argument);
}

/* Restores the priority of the nursery at its start, which was that of a rank. */
static void be_usual(void) {
    int usual = getpriority(PRIO_PROCESS, (id_t)getppid());
    each_thread(set_niceness, &usual);
    int file = open(AUTOGROUP, O_WRONLY | O_CLOEXEC);
    /* The kernel limits this for users other than root to a number of times per second: try
     * again. */
    for (int tries = 0; file >= 0 && tries < AUTOGROUP_TRIES; tries++) {
        if (write(file, "0", 1) == 1 || errno != EAGAIN) {
            break;
        }
        struct timespec while_others_are = {.tv_nsec = AUTOGROUP_WAIT_NANOS};
        nanosleep(&while_others_are, NULL);
    }
    if (file >= 0) {
        close(file);
    }
}

struct mask {
    const void *bits;
    size_t bytes;
};

static void set_affinity(pid_t thread, const void *argument) {
    const struct mask *mask = argument;
    (void)syscall(SYS_sched_setaffinity, thread, mask->bytes, mask->bits);
}

/* Binds this rank to the processors that the daemon has chosen, unless it is bound so already: each thread needs a call of
 * its own. */
static void bind_to(const struct mask *wanted) {
    unsigned char current[AFFINITY_MAX_BYTES];
    long bytes = syscall(SYS_sched_getaffinity, 0, sizeof current, current);
    if (wanted->bytes > 0 && (bytes != (long)wanted->bytes || memcmp(current, wanted->bits, wanted->bytes) != 0)) {
        each_thread(set_affinity, wanted);
    }
}

/* Strings one after the other, which must stay where they are from now on. */
static int replace_environment(char *strings, size_t length) {
    if (clearenv() != 0) {
        return ENOMEM;
    }
    for (char *next = strings; next < strings + length; next += strlen(next) + 1) {
        if (strchr(next, '=') != NULL && putenv(next) != 0) {
            return ENOMEM;
        }
    }
    kintsugi_prepare_environment();
    return 0;
}

static int take_streams(const int *streams) {
    int rc = 0;
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) {
        if (dup2(streams[stream], stream) < 0) {
            rc = errno;
        }
        close(streams[stream]);
    }
    return rc;
}

static int await_package(void) {
    struct package package;
    int streams[3];
    char word = WARM_PARKED;
    if (!send_with(WARM_SOCKET, &word, 1, NULL, 0)) {
        return EPIPE;
    }
    prctl(PR_SET_NAME, "parked"); /* for people, as ps -L shows it, and for tests */
    if (!receive_with(WARM_SOCKET, &package, sizeof package, streams, 3)) {
        return EPIPE;
    }
    size_t length = (size_t)package.affinity_bytes + package.environment_bytes;
    char *rest = malloc(length + 1);
    if (rest == NULL || !receive_with(WARM_SOCKET, rest, length, NULL, 0)) {
        return EPIPE;
    }
    rest[length] = '\0';
    struct mask mask = {rest, package.affinity_bytes};
    bind_to(&mask);
    int rc = replace_environment(rest + package.affinity_bytes, package.environment_bytes);
    if (rc == 0) {
        rc = take_streams(streams);
    }
    if (rc != 0) {
        return rc;
    }
    kintsugi_set_parent_pid(package.daemon);
    return 0;
}

/* Makes Java see the environment as it is now. */
static int reload_environment(JNIEnv *env) {
    jclass copy = (*env)->FindClass(env, "java/lang/ProcessEnvironment");
    jmethodID initialiser = copy == NULL ? NULL : (*env)->GetStaticMethodID(env, copy, "<clinit>", "()V");
    if (initialiser == NULL) {
        return ENOSYS;
    }
    (*env)->CallStaticVoidMethod(env, copy, initialiser);
    (*env)->DeleteLocalRef(env, copy);
    return (*env)->ExceptionCheck(env) ? ENOSYS : 0;
}

/* Sets a variable: Java can then check whether a changed environment reaches it. 0, or an errno value. */
JNIEXPORT jint JNICALL Java_org_kintsugi_reinit_WarmRank_setProbe(JNIEnv *env, jclass cls, jint value) {
    (void)cls;
    char text[16];
    snprintf(text, sizeof text, "%d", (int)value);
    return setenv("KINTSUGI_PROBE", text, 1) == 0 ? reload_environment(env) : ENOMEM;
}

/* Opens MPI's plugins, which MPI_Init will: finding, mapping and relocating some forty libraries is a third of its
 * work. */
JNIEXPORT void JNICALL Java_org_kintsugi_reinit_WarmRank_openPlugins(JNIEnv *env, jclass cls) {
    (void)env, (void)cls;
    char pattern[PATH_MAX];
    glob_t plugins;
    if (kintsugi_mpi_library_path(pattern, sizeof pattern - sizeof PLUGINS) != 0) {
        return;
    }
    strcpy(strrchr(pattern, '/'), PLUGINS);
    if (glob(pattern, 0, NULL, &plugins) == 0) {
        for (size_t i = 0; i < plugins.gl_pathc; i++) {
            (void)dlopen(plugins.gl_pathv[i], RTLD_NOW); /* MPI_Init passes over a plugin that cannot be loaded, too */
        }
        globfree(&plugins);
    }
}

/* Returns 0 when this JVM becomes a rank; otherwise an errno value (or a pending exception). */
JNIEXPORT jint JNICALL Java_org_kintsugi_reinit_WarmRank_park(JNIEnv *env, jclass cls) {
    (void)cls;
    char name[16] = "";
    be_usual();
    prctl(PR_GET_NAME, name);
    int rc = await_package();
    prctl(PR_SET_NAME, name);
    if (rc == 0) {
        rc = reload_environment(env);
    }
    char word = WARM_GOES;
    if (rc == 0 && !send_with(WARM_SOCKET, &word, 1, NULL, 0)) {
        rc = EPIPE;
    }
    close(WARM_SOCKET);
    return rc;
}

/* Calls static void main(String[]) as the launcher does: its exception goes to the caller, as it is. */
JNIEXPORT void JNICALL Java_org_kintsugi_reinit_WarmRank_call(JNIEnv *env, jclass cls, jclass program,
                                                              jobjectArray arguments) {
    (void)cls;
    jmethodID main = (*env)->GetStaticMethodID(env, program, "main", "([Ljava/lang/String;)V");
    if (main != NULL) {
        (*env)->CallStaticVoidMethod(env, program, main, arguments);
    }
}
