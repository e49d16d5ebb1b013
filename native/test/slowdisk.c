/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * For tests, preloaded into ranks: a disk that takes long. KINTSUGI_SLOW_SYNC=MILLISECONDS:END has the first fdatasync of
 * each process of a file whose name ends with END take so long.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int is_slow(int file, const char *end) {
    static atomic_flag been = ATOMIC_FLAG_INIT;
    char link[64];
    char name[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, name, sizeof name);
    size_t wanted = strlen(end);
    return length >= (ssize_t)wanted && memcmp(name + length - wanted, end, wanted) == 0 &&
           !atomic_flag_test_and_set(&been);
}

int fdatasync(int file) {
    const char *setting = getenv("KINTSUGI_SLOW_SYNC");
    char *end = NULL;
    long millis = setting == NULL ? 0 : strtol(setting, &end, 10);
    if (millis > 0 && *end == ':' && is_slow(file, end + 1)) {
        struct timespec time = {.tv_sec = millis / 1000, .tv_nsec = millis % 1000 * 1000000};
        nanosleep(&time, NULL);
    }
    int (*next)(int);
    *(void **)&next = dlsym(RTLD_NEXT, "fdatasync");
    return next(file);
}
