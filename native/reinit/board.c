/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE
#include "board.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct board *board;
int board_size;
struct seat *board_seat;

static int number(const char *variable) {
    const char *value = getenv(variable);
    return value == NULL ? -1 : atoi(value);
}

/* Lengthens the file if it is shorter. It is never shortened: a process that has mapped more
 * would get SIGBUS. */
static int lengthen(int file, off_t bytes) {
    struct stat now;
    if (fstat(file, &now) != 0) {
        return -1;
    }
    if (now.st_uid != geteuid()) {
        return -1; /* another user may have made a file with a name that can be guessed */
    }
    return now.st_size >= bytes ? 0 : ftruncate(file, bytes);
}

void board_open(void) {
    const char *folder = getenv("PMIX_SERVER_TMPDIR");
    const char *job = getenv("PMIX_NAMESPACE");
    int rank = number("OMPI_COMM_WORLD_RANK");
    int size = number("OMPI_COMM_WORLD_SIZE");
    if (folder == NULL || rank < 0 || size <= rank) {
        return;
    }
    char path[PATH_MAX];
    /* Jobs that this one spawns (MPI_Comm_spawn) have the same folder. */
    snprintf(path, sizeof path, "%s/kintsugi-board-%s", folder, job == NULL ? "" : job);
    int file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0) {
        return;
    }
    size_t bytes = sizeof *board + (size_t)size * sizeof board->seats[0];
    void *memory = MAP_FAILED;
    if (lengthen(file, (off_t)bytes) == 0) {
        memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    }
    close(file);
    if (memory != MAP_FAILED) {
        board = memory;
        board_size = size;
        board_seat = &board->seats[rank];
    }
}

struct timespec board_in_millis(long millis) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += millis % 1000 * 1000000;
    until.tv_sec += millis / 1000 + until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    return until;
}

bool board_is_over(const struct timespec *until) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec > until->tv_sec || (now.tv_sec == until->tv_sec && now.tv_nsec > until->tv_nsec);
}
