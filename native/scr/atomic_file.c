/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * SCR keeps what it knows of its versions in small files of KVTree: the index, and which process has which files. It
 * empties such a file and writes it anew, in place: a death in between costs every version, as SCR finds none then. So
 * KVTree's open, write and close go through here (library.c).
 *
 * Files that are not there yet are written in place: they are of a version that is not complete, and what is left
 * beside them would be in the way when SCR removes the version's folder. Of the index, which is in no version's folder,
 * the one before stays beside it: for a disk that damages the one (ScrIndex.java).
 *
 * While ER rebuilds what a lost node had, it says in a file of the version's that the version is damaged; a death in
 * that time costs it, as SCR then removes it everywhere. But all that is there stays there: rebuilding only adds what
 * is missing, and can begin anew. So that file stays as it is until ER says that the version is whole.
 *
 * Nothing in here calls MPI, so that a call of SCR's is never left from here (scr_leave.c). When the death of another process
 * cuts the writing short, an entry stays in the table: the next file of that number takes it over.
 */
#define _GNU_SOURCE
#include "atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ASIDE ".kintsugi-new"
#define BEFORE ".kintsugi-old"
#define INDEX "/cindex.scrinfo"
#define STATE ".er.er"

/* SCR may copy versions on threads of its own. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* A file that is written aside; path NULL: not one of them. */
struct aside {
    char *path;  /* what it is for */
    int dropped; /* not moved to the older file's place: a write has failed, for instance */
};

/* ER is about to rebuild a version, and has not recorded yet that it is damaged. */
static int rebuilding;

/* By the files' numbers. */
static struct aside *asides;
static int size;

static int note(int file, char *path, int dropped) {
    if (file >= size) {
        int larger = file + 64;
        struct aside *more = realloc(asides, (size_t)larger * sizeof(*asides));
        if (more == NULL) {
            return -1;
        }
        memset(more + size, 0, (size_t)(larger - size) * sizeof(*more));
        asides = more;
        size = larger;
    }
    free(asides[file].path);
    asides[file] = (struct aside){.path = path, .dropped = dropped};
    return 0;
}

/* Removes an entry from the table. The caller frees its path. */
static struct aside take(int file) {
    struct aside taken = {0};
    pthread_mutex_lock(&mutex);
    if (file >= 0 && file < size) {
        taken = asides[file];
        asides[file] = (struct aside){0};
    }
    pthread_mutex_unlock(&mutex);
    return taken;
}

static int ends_with(const char *path, const char *end) {
    size_t length = strlen(path);
    return length >= strlen(end) && strcmp(path + length - strlen(end), end) == 0;
}

static int open_aside(const char *path, int flags, mode_t mode, int dropped) {
    char *name = NULL;
    char *copy = strdup(path);
    int file = -1;
    if (copy == NULL || asprintf(&name, "%s" ASIDE, path) < 0) {
        name = NULL;
        errno = ENOMEM;
    } else if ((file = open(name, flags, mode)) >= 0) {
        pthread_mutex_lock(&mutex);
        int rc = note(file, copy, dropped);
        pthread_mutex_unlock(&mutex);
        if (rc == 0) {
            copy = NULL;
        } else {
            close(file);
            unlink(name);
            file = -1;
            errno = ENOMEM;
        }
    }
    free(name);
    free(copy);
    return file;
}

void atomic_file_rebuild(int begins) {
    rebuilding = begins;
}

int atomic_file_open(const char *path, int flags, ...) {
    mode_t mode = 0;
    if ((flags & O_CREAT) != 0) {
        va_list more;
        va_start(more, flags);
        mode = va_arg(more, mode_t);
        va_end(more);
    }
    if ((flags & O_TRUNC) != 0) {
        int damaged = rebuilding && ends_with(path, STATE);
        if (damaged) {
            rebuilding = 0; /* the next call says that the version is whole */
        }
        if (damaged || access(path, F_OK) == 0) {
            return open_aside(path, flags, mode, damaged);
        }
    }
    int file = open(path, flags, mode);
    free(take(file).path);
    return file;
}

ssize_t atomic_file_write(int file, const void *bytes, size_t count) {
    ssize_t written = write(file, bytes, count);
    if (written < 0 && errno != EINTR && errno != EAGAIN) {
        int error = errno;
        pthread_mutex_lock(&mutex);
        if (file >= 0 && file < size) {
            asides[file].dropped = 1;
        }
        pthread_mutex_unlock(&mutex);
        errno = error;
    }
    return written;
}

/* Keeps the index before this one. If that fails it is no error: the old index is needed only if
 * the next one is torn. */
static void keep_before(const char *path) {
    char *name = NULL;
    if (!ends_with(path, INDEX) || asprintf(&name, "%s" BEFORE, path) < 0) {
        return;
    }
    unlink(name);
    if (link(path, name) != 0) {
        errno = 0;
    }
    free(name);
}

/* Closes a file. KVTree has synchronised it just before. */
int atomic_file_close(int file) {
    struct aside taken = take(file);
    if (taken.path == NULL) {
        return close(file);
    }
    char *name = NULL;
    int rc = close(file);
    if (asprintf(&name, "%s" ASIDE, taken.path) < 0) {
        name = NULL;
        rc = -1;
    } else if (rc != 0 || taken.dropped) {
        unlink(name);
    } else {
        keep_before(taken.path);
        rc = rename(name, taken.path);
    }
    int error = errno;
    free(name);
    free(taken.path);
    errno = error;
    return rc;
}
