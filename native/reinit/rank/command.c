/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * Invariant: a command line that this code does not fully understand (a module, a source file, an
 * argument file, no Main) is not started warm. java itself gets it then, and reports its errors.
 */
#include "command.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define SPARES "-Dkintsugi.spares="
#define MOST_SPARES 64

/* Options whose value is the next argument. */
static const char *const with_value[] = {
    "-cp",
    "-classpath",
    "--class-path",
    "-p",
    "--module-path",
    "--upgrade-module-path",
    "--add-modules",
    "--enable-native-access",
    "--limit-modules",
    "--add-exports",
    "--add-opens",
    "--add-reads",
    "--patch-module",
    NULL,
};

/* Options that say what to run in another way than by Main. */
static const char *const not_warmable[] = {
    "-m", "--module", "--source", "-d", "--describe-module", NULL,
};

static bool is_one_of(const char *argument, const char *const *names) {
    for (; *names != NULL; names++) {
        if (strcmp(argument, *names) == 0) {
            return true;
        }
    }
    return false;
}

static bool ends_with(const char *argument, const char *end) {
    size_t length = strlen(argument);
    return length >= strlen(end) && strcmp(argument + length - strlen(end), end) == 0;
}

/* The index of Main, or of -jar; 0: cannot be started warm. */
static size_t main_index(char **command) {
    for (size_t i = 1; command[i - 1] != NULL && command[i] != NULL; i++) {
        const char *argument = command[i];
        if (argument[0] == '@' || is_one_of(argument, not_warmable) || strncmp(argument, "--module=", 9) == 0) {
            return 0;
        }
        if (strcmp(argument, "-jar") == 0) {
            return command[i + 1] != NULL ? i : 0;
        }
        if (argument[0] != '-') {
            return ends_with(argument, ".java") ? 0 : i;
        }
        if (is_one_of(argument, with_value)) {
            i++;
        }
    }
    return 0;
}

int command_spares(char **command) {
    size_t end = main_index(command);
    int spares = 0;
    for (size_t i = 1; i < end; i++) {
        if (strncmp(command[i], SPARES, strlen(SPARES)) == 0) {
            spares = atoi(command[i] + strlen(SPARES));
        }
    }
    return spares < 0 ? 0 : spares > MOST_SPARES ? MOST_SPARES : spares;
}

char **command_warm(char **command) {
    size_t count = 0;
    while (command[count] != NULL) {
        count++;
    }
    char **warm = malloc((count + 4) * sizeof *warm);
    if (warm == NULL) {
        return NULL;
    }
    size_t main_at = main_index(command);
    size_t n = 0;
    for (size_t i = 0; i < main_at; i++) {
        warm[n++] = command[i];
    }
    if (strcmp(command[main_at], "-jar") == 0) {
        warm[n++] = "-cp";
        warm[n++] = command[main_at + 1];
    }
    warm[n++] = WARM_MAIN;
    for (size_t i = main_at; i < count; i++) {
        warm[n++] = command[i];
    }
    warm[n] = NULL;
    return warm;
}

/* FNV-1a, by its authors' numbers. */
#define FNV_BASIS UINT64_C(14695981039346656037)
#define FNV_PRIME UINT64_C(1099511628211)

static uint64_t hashed(uint64_t hash, const void *bytes, size_t length) {
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ byte[i]) * FNV_PRIME;
    }
    return hash;
}

uint64_t command_hash(char **command) {
    uint64_t hash = FNV_BASIS;
    for (; *command != NULL; command++) {
        hash = hashed(hash, *command, strlen(*command) + 1);
    }
    struct stat folder;
    if (stat(".", &folder) == 0) {
        hash = hashed(hash, &folder.st_dev, sizeof folder.st_dev);
        hash = hashed(hash, &folder.st_ino, sizeof folder.st_ino);
    }
    return hash;
}
