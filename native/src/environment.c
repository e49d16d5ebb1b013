/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * The environment that a process hands on to processes that it has started: the one that it began with, as the system
 * tells. environ is used only if the system does not: libraries set variables there that hold for this process alone, and
 * for now (SCR's settings of its run, for example).
 */
#define _GNU_SOURCE
#include "environment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Variables of this process only, which a new one must not inherit: its place in the job, the way to its daemon, and
 * its parent job. */
static const char *const own_variables[] = {"PMIX_",
                                            "PRTE_",
                                            "OMPI_COMM_WORLD_",
                                            "OMPI_UNIVERSE_SIZE",
                                            "OMPI_APP_CTX_",
                                            "OMPI_FIRST_RANKS",
                                            "OMPI_NUM_APP_CTX",
                                            "OMPI_COMMAND=",
                                            "OMPI_ARGV=",
                                            "OMPI_FILE_LOCATION",
                                            "OMPI_PARENT_PORT",
                                            PLACE_VARIABLE};

static int is_own(const char *variable) {
    for (size_t i = 0; i < sizeof own_variables / sizeof own_variables[0]; i++) {
        if (strncmp(variable, own_variables[i], strlen(own_variables[i])) == 0) {
            return 1;
        }
    }
    return 0;
}

/* The present environment, its strings one after the other; NULL if there is no memory. */
static char *has_now(size_t *length) {
    *length = 0;
    for (char **one = environ; *one != NULL; one++) {
        *length += strlen(*one) + 1;
    }
    char *all = malloc(*length + 1);
    char *end = all;
    for (char **one = environ; all != NULL && *one != NULL; one++) {
        end = stpcpy(end, *one) + 1;
    }
    return all;
}

/* The same of its beginning; NULL or nothing if that cannot be read. */
static char *started_with(size_t *length) {
    FILE *file = fopen("/proc/self/environ", "re");
    size_t room = 1 << 16;
    char *all = file == NULL ? NULL : malloc(room);
    *length = 0;
    while (all != NULL) {
        *length += fread(all + *length, 1, room - *length - 1, file);
        if (*length < room - 1) {
            all[*length] = '\0';
            break;
        }
        room *= 2;
        char *more = realloc(all, room);
        if (more == NULL) {
            free(all);
        }
        all = more;
    }
    if (file != NULL) {
        fclose(file);
    }
    return all;
}

char **inherited_variables(const char *more) {
    size_t length;
    char *all = started_with(&length);
    if (all == NULL || length == 0) {
        free(all);
        all = has_now(&length);
    }
    if (all == NULL) {
        return NULL;
    }
    size_t most = 2; /* the last one may have no end of its own; and one more */
    for (size_t i = 0; i < length; i++) {
        most += all[i] == '\0';
    }
    /* The pointers, followed by the text that they point to. */
    char **variables = malloc((most + 1) * sizeof *variables + length + 1);
    if (variables != NULL) {
        char *text = memcpy(variables + most + 1, all, length + 1);
        size_t count = 0;
        for (char *one = text; one < text + length; one += strlen(one) + 1) {
            if (!is_own(one)) {
                variables[count++] = one;
            }
        }
        if (more != NULL) {
            variables[count++] = (char *)more;
        }
        variables[count] = NULL;
    }
    free(all);
    return variables;
}
