/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * SCR keeps what it knows of its versions in small files of KVTree: the index, and which process has which files. It
 * empties such a file and writes it anew, in place: a death in between costs every version, as SCR finds none then. So
 * KVTree's open and close go through here (library.c).
 *
 * Files that are not there yet are written in place: they are of a version that is not complete, and what is left
 * beside them would be in the way when SCR removes the version's folder.
 *
 * Nothing in here calls MPI, so that a call of SCR's is never left from here (leave.c). What is left when a death of
 * another process cuts the writing short, an entry in the table, is taken over by the next file of that number.
 */
#define _GNU_SOURCE
#include "whole.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define ASIDE ".kintsugi-new"

/* SCR may copy versions on threads of its own. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* The files that are written aside: by their numbers, the paths that they are for; NULL: not one of them. */
static char **paths;
static int size;

static int note(int file, char *path) {
    if (file >= size) {
        int larger = file + 64;
        char **more = realloc(paths, (size_t)larger * sizeof(*paths));
        if (more == NULL) {
            return -1;
        }
        for (int i = size; i < larger; i++) {
            more[i] = NULL;
        }
        paths = more;
        size = larger;
    }
    free(paths[file]);
    paths[file] = path;
    return 0;
}

static char *take(int file) {
    pthread_mutex_lock(&mutex);
    char *path = file >= 0 && file < size ? paths[file] : NULL;
    if (path != NULL) {
        paths[file] = NULL;
    }
    pthread_mutex_unlock(&mutex);
    return path;
}

static int open_aside(const char *path, int flags, mode_t mode) {
    char *aside = NULL;
    char *whole = NULL;
    int file = -1;
    if (asprintf(&aside, "%s" ASIDE, path) < 0 || asprintf(&whole, "%s", path) < 0) {
        errno = ENOMEM;
    } else if ((file = open(aside, flags, mode)) >= 0) {
        pthread_mutex_lock(&mutex);
        int rc = note(file, whole);
        pthread_mutex_unlock(&mutex);
        if (rc == 0) {
            whole = NULL;
        } else {
            close(file);
            unlink(aside);
            file = -1;
            errno = ENOMEM;
        }
    }
    free(aside);
    free(whole);
    return file;
}

int whole_open(const char *path, int flags, ...) {
    mode_t mode = 0;
    if ((flags & O_CREAT) != 0) {
        va_list more;
        va_start(more, flags);
        mode = va_arg(more, mode_t);
        va_end(more);
    }
    if ((flags & O_TRUNC) != 0 && access(path, F_OK) == 0) {
        return open_aside(path, flags, mode);
    }
    return open(path, flags, mode);
}

/* KVTree has had the disk take all of it just before. */
int whole_close(int file) {
    char *path = take(file);
    if (path == NULL) {
        return close(file);
    }
    char *aside = NULL;
    int rc = close(file);
    if (rc == 0) {
        rc = asprintf(&aside, "%s" ASIDE, path) < 0 ? -1 : rename(aside, path);
    }
    int error = errno;
    free(aside);
    free(path);
    errno = error;
    return rc;
}
