/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * Files of checkpoints, written by address. The JDK's channels do as much; but a job saves a few times an hour, so that
 * their code is never compiled, and then takes as long as the writing of a megabyte.
 */
#include "kintsugi.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int outcome(int result) {
    return result < 0 ? errno : 0;
}

int kintsugi_file_open(const char *path) {
    int file = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0) {
        return -errno;
    }
    struct stat status;
    int error = 0;
    if (fstat(file, &status) != 0) {
        error = errno;
    } else if (!S_ISREG(status.st_mode) || status.st_uid != geteuid()) {
        error = EPERM;
    } else if (fchmod(file, 0600) != 0) { /* it may have been there, readable by others */
        error = errno;
    }
    if (error != 0) {
        close(file);
        return -error;
    }
    return file;
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
