/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * Files of checkpoints, written by address. The JDK's channels can do the same. But a job saves
 * only a few times an hour, so the JVM never compiles their code, which then takes the time of
 * writing a megabyte.
 *
 * A process writes only to files that it has made itself, and keeps them open. It removes an older
 * file of the same name, and does not write over it. A predecessor that was declared failed, but
 * was only stopped or cut off from the others, may still write to the file that it has open. That
 * file has no name any more, so no process reads it. The store `file` also gives each process its
 * own names.
 */
#include "kintsugi.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Usually one try is enough. Each more means that another process makes the same file at the
 * same time. */
#define MOST_TRIES 10

static int outcome(int result) {
    return result < 0 ? errno : 0;
}

static int checked(int file) {
    struct stat status;
    int error = 0;
    if (fstat(file, &status) != 0) {
        error = errno;
    } else if (!S_ISREG(status.st_mode) || status.st_uid != geteuid()) {
        error = EPERM;
    }
    if (error != 0) {
        close(file);
        return -error;
    }
    return file;
}

int kintsugi_file_make(const char *path) {
    int file = -1;
    /* Tries again if the predecessor makes the file anew in between. */
    for (int i = 0; i < MOST_TRIES && file < 0; i++) {
        if (unlink(path) != 0 && errno != ENOENT) {
            return -errno;
        }
        file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (file < 0 && errno != EEXIST) {
            return -errno;
        }
    }
    return file < 0 ? -EEXIST : checked(file);
}

int kintsugi_file_is_at(int file, const char *path) {
    struct stat open_one, found;
    if (fstat(file, &open_one) != 0 || lstat(path, &found) != 0) {
        return errno;
    }
    return open_one.st_ino == found.st_ino && open_one.st_dev == found.st_dev ? 0 : ESTALE;
}

int kintsugi_file_write(int file, const char *bytes, int64_t count, int64_t at) {
    while (count > 0) {
        ssize_t written = pwrite(file, bytes, (size_t)count, (off_t)at);
        if (written < 0 && errno != EINTR) {
            return errno;
        }
        if (written > 0) {
            bytes += written;
            count -= written;
            at += written;
        }
    }
    return 0;
}

int kintsugi_file_truncate(int file, int64_t bytes) {
    return outcome(ftruncate(file, (off_t)bytes));
}

int kintsugi_file_sync(int file) {
    return outcome(fdatasync(file));
}

int kintsugi_file_close(int file) {
    return outcome(close(file));
}

const char *kintsugi_error_text(int error) {
    return strerror(error);
}
