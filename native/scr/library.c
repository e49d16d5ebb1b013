/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * libscr, loaded and unloaded at will. It keeps everything in static variables and can be initialised once; a process
 * that goes on after a failure needs it as new. So it is unloaded with all its components, and loaded again: for itself
 * only (RTLD_LOCAL, in the one namespace of the process, as libmpi must be shared), so that nobody else holds on to it.
 */
#define _GNU_SOURCE
#include "atomic_file.h"
#include "scr_api.h"
#include "scr_leave.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *library;
static struct objects brought;
static char words[1024];

/* The functions of the library, in the order of `names`. */
static struct {
    int (*Init)(void);
    int (*Finalize)(void);
    const char *(*Config)(const char *);
    int (*Route_file)(const char *, char *);
    int (*Have_restart)(int *, char *);
    int (*Start_restart)(char *);
    int (*Complete_restart)(int);
    int (*Need_checkpoint)(int *);
    int (*Start_checkpoint)(void);
    int (*Complete_checkpoint)(int);
    int (*Start_output)(const char *, int);
    int (*Complete_output)(int);
    int (*Current)(const char *);
    int (*Drop)(const char *);
    int (*Delete)(const char *);
    char *(*Get_version)(void);
    int (*Should_exit)(int *);
} scr;

static const char *const names[] = {
    "SCR_Init",
    "SCR_Finalize",
    "SCR_Config",
    "SCR_Route_file",
    "SCR_Have_restart",
    "SCR_Start_restart",
    "SCR_Complete_restart",
    "SCR_Need_checkpoint",
    "SCR_Start_checkpoint",
    "SCR_Complete_checkpoint",
    "SCR_Start_output",
    "SCR_Complete_output",
    "SCR_Current",
    "SCR_Drop",
    "SCR_Delete",
    "SCR_Get_version",
    "SCR_Should_exit",
};

#define FUNCTIONS (sizeof(names) / sizeof(names[0]))
_Static_assert(sizeof(scr) == FUNCTIONS * sizeof(void *), "one name for each function");

/* Why SCR must not be called now; 0 if it may. */
static int refused(void) {
    if (library == NULL) {
        return KINTSUGI_SCR_NOT_OPEN;
    }
    if (!pthread_equal(pthread_self(), scr_thread)) {
        return KINTSUGI_SCR_THREAD;
    }
    return kintsugi_leave_entry_refused() == 0 ? 0 : KINTSUGI_SCR_FAILED;
}

static int landed(int why) {
    kintsugi_leave_landed(why);
    return why == LEFT_BY_SCR ? KINTSUGI_SCR_GAVE_UP : KINTSUGI_SCR_FAILED;
}

/*
 * Calls a function of SCR under the guard, and returns from the function that uses this macro.
 *
 * It is a macro and no function, because a jump must land in a frame that still exists: sigsetjmp must be called by the
 * function that calls SCR, which has not returned when the jump comes. No local variable is read after the jump, as its value
 * is not defined then.
 */
#define CALL(type, otherwise, function, ...)                                                                           \
    int no = refused();                                                                                                \
    if (no != 0) {                                                                                                     \
        return otherwise(no);                                                                                          \
    }                                                                                                                  \
    switch (sigsetjmp(*kintsugi_leave_point(), 0)) {                                                                   \
    case 0:                                                                                                            \
        break;                                                                                                         \
    case LEFT_BY_SCR:                                                                                                  \
        return otherwise(landed(LEFT_BY_SCR));                                                                         \
    default:                                                                                                           \
        return otherwise(landed(KINTSUGI_LEFT_BY_FAILURE));                                                            \
    }                                                                                                                  \
    scr_leave_arm();                                                                                                   \
    no = refused(); /* once more: the signal may have come in between */                                               \
    if (no != 0) {                                                                                                     \
        return otherwise(landed(LEFT_NOT_ENTERED));                                                                    \
    }                                                                                                                  \
    type result = scr.function(__VA_ARGS__);                                                                           \
    kintsugi_leave_disarm();                                                                                           \
    return result

#define CODE(code) (code)
#define NO_STRING(code) ((void)(code), NULL)

int SCR_Init(void) {
    CALL(int, CODE, Init);
}

int SCR_Finalize(void) {
    CALL(int, CODE, Finalize);
}

const char *SCR_Config(const char *config) {
    CALL(const char *, NO_STRING, Config, config);
}

const char *SCR_Configf(const char *format, ...) {
    char *config;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&config, format, arguments);
    va_end(arguments);
    if (length < 0) {
        return NULL;
    }
    const char *result = SCR_Config(config);
    free(config);
    return result;
}

int SCR_Route_file(const char *name, char *file) {
    CALL(int, CODE, Route_file, name, file);
}

int SCR_Have_restart(int *flag, char *name) {
    CALL(int, CODE, Have_restart, flag, name);
}

int SCR_Start_restart(char *name) {
    CALL(int, CODE, Start_restart, name);
}

int SCR_Complete_restart(int valid) {
    CALL(int, CODE, Complete_restart, valid);
}

int SCR_Need_checkpoint(int *flag) {
    CALL(int, CODE, Need_checkpoint, flag);
}

int SCR_Start_checkpoint(void) {
    CALL(int, CODE, Start_checkpoint);
}

int SCR_Complete_checkpoint(int valid) {
    CALL(int, CODE, Complete_checkpoint, valid);
}

int SCR_Start_output(const char *name, int flags) {
    CALL(int, CODE, Start_output, name, flags);
}

int SCR_Complete_output(int valid) {
    CALL(int, CODE, Complete_output, valid);
}

int SCR_Current(const char *name) {
    CALL(int, CODE, Current, name);
}

int SCR_Drop(const char *name) {
    CALL(int, CODE, Drop, name);
}

int SCR_Delete(const char *name) {
    CALL(int, CODE, Delete, name);
}

char *SCR_Get_version(void) {
    CALL(char *, NO_STRING, Get_version);
}

int SCR_Should_exit(int *flag) {
    CALL(int, CODE, Should_exit, flag);
}

const char *kintsugi_scr_words(void) {
    return words;
}

int kintsugi_scr_set(const char *name, const char *value) {
    return setenv(name, value, 1) == 0 ? 0 : errno;
}

static int not_loaded(const char *why, const char *what) {
    snprintf(words, sizeof(words), "%s%s", why, what == NULL ? "" : what);
    if (library != NULL) {
        dlclose(library);
        library = NULL;
    }
    forget_objects(&brought);
    return KINTSUGI_SCR_NOT_LOADED;
}

/* Changes KVTree; where it is no library of its own, all of SCR's libraries. 0, or an errno value. */
static int keep_files_whole(void) {
    static const struct replacement replacements[] = {
        {.symbol = "open", .address = (void *)atomic_file_open},
        {.symbol = "open64", .address = (void *)atomic_file_open},
        {.symbol = "write", .address = (void *)atomic_file_write},
        {.symbol = "close", .address = (void *)atomic_file_close},
    };
    static struct objects kvtree;
    kvtree.count = 0;
    for (int i = 0; i < brought.count; i++) {
        if (strstr(brought.names[i], "/libkvtree") != NULL) {
            kvtree.names[kvtree.count++] = brought.names[i];
        }
    }
    return interpose(kvtree.count > 0 ? &kvtree : &brought, replacements,
                     sizeof(replacements) / sizeof(replacements[0]));
}

/* The value in er.h. */
#define ER_DIRECTION_REBUILD 2
static int (*create_set)(MPI_Comm, MPI_Comm, const char *, int, int);

static int set_created(MPI_Comm world, MPI_Comm store, const char *name, int direction, int scheme) {
    atomic_file_rebuild(direction == ER_DIRECTION_REBUILD);
    return create_set(world, store, name, direction, scheme);
}

/* Watches ER's rebuilds. That is not possible if ER is linked into another library: a failure
 * while a version is rebuilt then costs that version. */
static int watch_rebuilds(void) {
    atomic_file_rebuild(0);
    *(void **)&create_set = dlsym(library, "ER_Create");
    struct replacement replacement = {.symbol = "ER_Create", .address = (void *)set_created};
    return create_set == NULL ? 0 : interpose(&brought, &replacement, 1);
}

int kintsugi_scr_open(const char *path, int64_t world) {
    if (library != NULL) {
        snprintf(words, sizeof(words), "it is open already");
        return KINTSUGI_SCR_NOT_LOADED;
    }
    library = open_library(path, &brought);
    if (library == NULL) {
        return not_loaded(dlerror(), NULL);
    }
    for (size_t i = 0; i < FUNCTIONS; i++) {
        void *function = dlsym(library, names[i]);
        if (function == NULL) {
            return not_loaded("it has no function ", names[i]);
        }
        memcpy((char *)&scr + i * sizeof(function), &function, sizeof(function));
    }
    const struct replacement *replacements;
    size_t count;
    if (scr_leave_prepare((MPI_Comm)(intptr_t)world, &replacements, &count) != MPI_SUCCESS) {
        scr_leave_release();
        not_loaded("a process has failed", NULL);
        return KINTSUGI_SCR_FAILED;
    }
    int rc = interpose(&brought, replacements, count);
    if (rc == 0) {
        rc = keep_files_whole();
    }
    if (rc == 0) {
        rc = watch_rebuilds();
    }
    if (rc != 0) {
        scr_leave_release();
        return not_loaded("its calls cannot be led elsewhere: ", strerror(rc));
    }
    return 0;
}

void kintsugi_scr_world_ends(void) {
    scr_leave_world_ends();
}

int kintsugi_scr_close(void) {
    if (library == NULL) {
        return 0;
    }
    scr_leave_release();
    dlclose(library);
    library = NULL;
    const char *left = still_loaded(&brought);
    if (left != NULL) {
        snprintf(words, sizeof(words), "%s", left);
    }
    forget_objects(&brought);
    return left == NULL ? 0 : KINTSUGI_SCR_STAYS;
}
