/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * Starts a process while a job runs, and connects to it, so that no process waits for ever.
 *
 * MPI_Comm_spawn blocks all its callers until the new process is in MPI_Init. PMIx_Spawn_nb only sends the launcher a
 * request, from any thread. The new process is a job of its own for the launcher, and initialises MPI alone.
 *
 * Two processes connect by MPI_Comm_connect and MPI_Comm_accept. Open MPI exchanges their names, and later some numbers, by
 * PMIx_Publish and PMIx_Lookup through the launcher, and gets the other one's address by PMIx_Get. These calls wait without
 * a limit, even for a process that has failed. So while a limit is in force they are replaced (interpose.c) by their
 * nonblocking forms and a wait that has this limit, and that another thread can end.
 *
 * In between both call PMIx_Connect, by which the launcher sends each the other one's data in
 * advance. This call is left out. The data can be had later: all others, which admit the new
 * process after these two, request it then. And PRRTE writes beyond the end of an array when a
 * process that has failed, or one of another node, takes part (connect_release in pmix_server_dyn.c):
 * then mpirun crashes, and the job is lost.
 *
 * A process may also connect, and fail before this one has got its address: then the launcher has dropped the address, and
 * the PMIx_Get, which Open MPI calls inside any call that sees the connection, is never answered. So the notice of that
 * failure ends it.
 */
#define _GNU_SOURCE
#include "kintsugi.h"

#include <errno.h>

#ifdef KINTSUGI_HAVE_PMIX

#include "environment.h"
#include "interpose.h"
#include "new_processes.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <pmix.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Protects all pending operations: PMIx's thread completes them, and other threads wait for them. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

/* A pending operation. Two may use it: the answer, and the waiting thread, which may abandon it.
 * The last one frees it. */
struct pending {
    int answered;
    int abandoned;
    pmix_status_t status;
    pmix_pdata_t *into;  /* where the result of a lookup goes */
    pmix_value_t *value; /* the result of a get */
    pmix_proc_t of;      /* the process whose data it gets, if any */
    int of_failed;
    struct pending *next;
    /* The question of a get. PMIx keeps pointers to it, and reads it once more when the answer has come. */
    char key[PMIX_MAX_KEYLEN + 1];
    pmix_info_t infos[];
};

/* Pending operations that depend on another process. */
static struct pending *gets;

/* The processes of other jobs that have failed last. */
#define MOST_FAILED 256
static pmix_proc_t failed[MOST_FAILED];
static size_t failures;

static int is_same(const pmix_proc_t *a, const pmix_proc_t *b) {
    return a->rank == b->rank && strncmp(a->nspace, b->nspace, sizeof a->nspace) == 0;
}

/* With the lock held. */
static int is_known_failed(const pmix_proc_t *process) {
    for (size_t i = 0; i < failures && i < MOST_FAILED; i++) {
        if (is_same(&failed[i], process)) {
            return 1;
        }
    }
    return 0;
}

/* Completes an operation. With the lock held. */
static void complete(struct pending *pending, pmix_status_t status) {
    pending->answered = 1;
    pending->status = status;
    if (pending->abandoned) {
        free(pending);
    } else {
        pthread_cond_broadcast(&changed);
    }
}

/* Waits until it is answered, the time is over, the flag is set, or the process that it depends on has failed; with
 * the lock held. */
static void wait_until(const struct pending *pending, const struct timespec *end, const int *stopped) {
    int rc = 0;
    while (!pending->answered && !pending->of_failed && !*stopped && rc == 0) {
        rc = pthread_cond_clockwait(&changed, &lock, CLOCK_MONOTONIC, end);
    }
}

static struct timespec from_now(int64_t millis) {
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += (time_t)(millis / 1000);
    end.tv_nsec += (long)(millis % 1000 * 1000000);
    if (end.tv_nsec >= 1000000000) {
        end.tv_sec++;
        end.tv_nsec -= 1000000000;
    }
    return end;
}

static void on_answer(pmix_status_t status, pmix_nspace_t job, void *data) {
    (void)job;
    pthread_mutex_lock(&lock);
    complete(data, status);
    pthread_mutex_unlock(&lock);
}

/* The longest wait for the launcher's answer: a process that is started reports to jmpirun itself. */
#define ANSWER_MILLIS 10000

/* The same where the launcher first looks whether a host has come back. */
#define RETURN_MILLIS 35000

/* Returns 0 also if the answer does not come. */
static int answer_of(struct pending *pending, int64_t millis) {
    static const int never;
    struct timespec end = from_now(millis);
    int rc = 0;
    pthread_mutex_lock(&lock);
    wait_until(pending, &end, &never);
    if (pending->answered) {
        rc = pending->status == PMIX_SUCCESS ? 0 : ECHILD;
        free(pending);
    } else {
        pending->abandoned = 1;
    }
    pthread_mutex_unlock(&lock);
    return rc;
}

static char text_personality[] = "ompi5";
static char text_places[] = "slot:OVERSUBSCRIBE";
static char text_none[] = "none";

/* The launcher frees the slot of a failed process only at the end of its job, and would refuse a
 * start where failed processes had the last slots. The user's mapping and binding rules for the
 * ranks do not suit later processes either: each would be bound to a core. The new process's failure
 * must not end the whole job, nor the end of the job that has started it end the new process. It
 * has no standard input, like ranks other than 0: it would wait for the end of one that nobody
 * closes. */
static const pmix_info_t properties[] = {
    {.key = PMIX_PERSONALITY, .value = {.type = PMIX_STRING, .data = {.string = text_personality}}},
    {.key = PMIX_MAPBY, .value = {.type = PMIX_STRING, .data = {.string = text_places}}},
    {.key = PMIX_BINDTO, .value = {.type = PMIX_STRING, .data = {.string = text_none}}},
    {.key = PMIX_STDIN_TGT, .value = {.type = PMIX_STRING, .data = {.string = text_none}}},
    {.key = PMIX_JOB_RECOVERABLE, .value = {.type = PMIX_BOOL, .data = {.flag = true}}},
#ifdef PMIX_SPAWN_CHILD_SEP
    {.key = PMIX_SPAWN_CHILD_SEP, .value = {.type = PMIX_BOOL, .data = {.flag = true}}},
#endif
};

typedef pmix_status_t spawn_fn(const pmix_info_t[], size_t, const pmix_app_t[], size_t, pmix_spawn_cbfunc_t, void *);

/* The first place of processes that are started later (btl/sm, MCA_BTL_SM_FIRST_JOB_PLACES). */
#define FIRST_PLACE 512

int kintsugi_start_process(const char *words, int64_t length, const char *host, int64_t number) {
    spawn_fn *spawn;
    *(void **)&spawn = dlsym(RTLD_DEFAULT, "PMIx_Spawn_nb");
    if (spawn == NULL) {
        return ENOSYS;
    }
    if (length <= 0 || words[length - 1] != '\0') {
        return EINVAL;
    }
    size_t count = 0;
    for (int64_t i = 0; i < length; i++) {
        count += words[i] == '\0';
    }
    char **argv = calloc(count + 1, sizeof *argv);
    char place[sizeof PLACE_VARIABLE + 20];
    snprintf(place, sizeof place, PLACE_VARIABLE "%" PRId64, FIRST_PLACE + number - 1);
    char **env = inherited_variables(place);
    char *folder = getcwd(NULL, 0);
    struct pending *pending = calloc(1, sizeof *pending);
    int rc = ENOMEM;
    if (argv != NULL && env != NULL && folder != NULL && pending != NULL) {
        const char *word = words;
        for (size_t i = 0; i < count; i++, word += strlen(word) + 1) {
            argv[i] = (char *)word;
        }
        int returns = host != NULL && host[0] == '+';
        char *name = (char *)host + returns;
        char again[256];
        /* The host belongs to the job already, and gets no additional slots. */
        snprintf(again, sizeof again, "%s:+0", returns ? name : "");
        pmix_info_t where[] = {{.key = PMIX_WDIR, .value = {.type = PMIX_STRING, .data = {.string = folder}}},
                               {.key = PMIX_HOST, .value = {.type = PMIX_STRING, .data = {.string = name}}},
                               {.key = PMIX_ADD_HOST, .value = {.type = PMIX_STRING, .data = {.string = again}}}};
        pmix_app_t app = {.cmd = argv[0],
                          .argv = argv,
                          .env = env,
                          .cwd = folder,
                          .maxprocs = 1,
                          .info = where,
                          .ninfo = host == NULL ? 1
                                   : returns    ? 3
                                                : 2};
        rc = spawn(properties, sizeof properties / sizeof properties[0], &app, 1, on_answer, pending) == PMIX_SUCCESS
                 ? answer_of(pending, returns ? RETURN_MILLIS : ANSWER_MILLIS)
                 : EIO;
        pending = rc == EIO ? pending : NULL;
    }
    free(pending);
    free(folder);
    free(env);
    free(argv);
    return rc;
}

/* The wait that has a limit. */

static int prepared;        /* 0: not yet, 1: done, negative: an errno value */
static int limited;         /* whether there is a limit */
static int stopped;         /* by another thread */
static struct timespec end; /* of the time, by CLOCK_MONOTONIC */

typedef pmix_status_t lookup_fn(pmix_pdata_t[], size_t, const pmix_info_t[], size_t);
typedef pmix_status_t lookup_nb_fn(char **, const pmix_info_t[], size_t, pmix_lookup_cbfunc_t, void *);
typedef pmix_status_t connect_fn(const pmix_proc_t[], size_t, const pmix_info_t[], size_t);
typedef pmix_status_t get_fn(const pmix_proc_t *, const char[], const pmix_info_t[], size_t, pmix_value_t **);
typedef pmix_status_t get_nb_fn(const pmix_proc_t *, const char[], const pmix_info_t[], size_t, pmix_value_cbfunc_t,
                                void *);
typedef pmix_status_t xfer_fn(pmix_value_t *, const pmix_value_t *);
static lookup_fn *real_lookup;
static lookup_nb_fn *lookup_nb;
static connect_fn *real_connect;
static get_fn *real_get;
static get_nb_fn *get_nb;
static xfer_fn *xfer;

static void on_found(pmix_status_t status, pmix_pdata_t data[], size_t count, void *cbdata) {
    struct pending *pending = cbdata;
    pthread_mutex_lock(&lock);
    if (status == PMIX_SUCCESS && !pending->abandoned) {
        if (count == 0) {
            status = PMIX_ERR_NOT_FOUND;
        } else {
            pending->into->proc = data[0].proc;
            status = xfer(&pending->into->value, &data[0].value);
        }
    }
    complete(pending, status);
    pthread_mutex_unlock(&lock);
}

static void on_got(pmix_status_t status, pmix_value_t *value, void *cbdata) {
    struct pending *pending = cbdata;
    pthread_mutex_lock(&lock);
    if (status == PMIX_SUCCESS && value != NULL && !pending->abandoned) {
        pending->value = calloc(1, sizeof *value);
        status = pending->value == NULL ? PMIX_ERR_NOMEM : xfer(pending->value, value);
    }
    complete(pending, status);
    pthread_mutex_unlock(&lock);
}

/* Waits, and frees the operation. */
static pmix_status_t await(struct pending *pending, const struct timespec *until, const int *flag) {
    pthread_mutex_lock(&lock);
    wait_until(pending, until, flag);
    if (!pending->answered) {
        pending->abandoned = 1;
        pthread_mutex_unlock(&lock);
        return PMIX_ERR_TIMEOUT;
    }
    pthread_mutex_unlock(&lock);
    pmix_status_t status = pending->status;
    free(pending);
    return status;
}

static int has_limit(void) {
    pthread_mutex_lock(&lock);
    int has = limited;
    pthread_mutex_unlock(&lock);
    return has;
}

static pmix_status_t lookup(pmix_pdata_t data[], size_t count, const pmix_info_t info[], size_t ninfo) {
    if (count != 1 || !has_limit()) {
        return real_lookup(data, count, info, ninfo);
    }
    struct pending *pending = calloc(1, sizeof *pending);
    if (pending == NULL) {
        return PMIX_ERR_NOMEM;
    }
    pending->into = data;
    char *keys[] = {data[0].key, NULL};
    pmix_status_t status = lookup_nb(keys, info, ninfo, on_found, pending);
    if (status != PMIX_SUCCESS) {
        free(pending);
        return status;
    }
    return await(pending, &end, &stopped);
}

static int is_of_own_job(const pmix_proc_t *process) {
    const char *job = getenv("PMIX_NAMESPACE");
    return job == NULL || strncmp(job, process->nspace, sizeof process->nspace) == 0;
}

/* Longer than any job waits for the answer of a living process. */
#define LONGEST_MILLIS 3600000

/* With the lock held: whether it has been answered before the end, or before the failure of the process that it
 * depends on. */
static int waits_for(struct pending *pending, int has_end) {
    static const int never;
    struct timespec latest = from_now(LONGEST_MILLIS);
    pending->of_failed = is_known_failed(&pending->of);
    pending->next = gets;
    gets = pending;
    wait_until(pending, has_end ? &end : &latest, has_end ? &stopped : &never);
    struct pending **place = &gets;
    while (*place != pending) {
        place = &(*place)->next;
    }
    *place = pending->next;
    return pending->answered;
}

static pmix_status_t get(const pmix_proc_t *process, const char key[], const pmix_info_t info[], size_t ninfo,
                         pmix_value_t **value) {
    int has_end = has_limit();
    if (process == NULL || (!has_end && is_of_own_job(process))) {
        return real_get(process, key, info, ninfo, value);
    }
    pthread_mutex_lock(&lock);
    int is_failed = is_known_failed(process);
    pthread_mutex_unlock(&lock);
    if (is_failed) {
        return PMIX_ERR_NOT_FOUND;
    }
    struct pending *pending = calloc(1, sizeof *pending + ninfo * sizeof *info);
    if (pending == NULL) {
        return PMIX_ERR_NOMEM;
    }
    pending->of = *process;
    if (key != NULL) {
        strncpy(pending->key, key, sizeof pending->key - 1);
    }
    if (ninfo > 0) {
        memcpy(pending->infos, info, ninfo * sizeof *info); /* flags, all that Open MPI gives */
    }
    pmix_status_t status =
        get_nb(process, key == NULL ? NULL : pending->key, ninfo == 0 ? NULL : pending->infos, ninfo, on_got, pending);
    if (status != PMIX_SUCCESS) {
        free(pending);
        return status == PMIX_OPERATION_SUCCEEDED ? real_get(process, key, info, ninfo, value) : status;
    }
    pthread_mutex_lock(&lock);
    if (!waits_for(pending, has_end)) {
        status = pending->of_failed ? PMIX_ERR_NOT_FOUND : PMIX_ERR_TIMEOUT;
        pending->abandoned = 1;
        pthread_mutex_unlock(&lock);
        return status;
    }
    pthread_mutex_unlock(&lock);
    status = pending->status;
    *value = pending->value;
    free(pending);
    return status;
}

static pmix_status_t connect_to(const pmix_proc_t procs[], size_t nprocs, const pmix_info_t info[], size_t ninfo) {
    return has_limit() ? PMIX_SUCCESS : real_connect(procs, nprocs, info, ninfo);
}

static int prepare(void) {
    *(void **)&real_lookup = dlsym(RTLD_DEFAULT, "PMIx_Lookup");
    *(void **)&lookup_nb = dlsym(RTLD_DEFAULT, "PMIx_Lookup_nb");
    *(void **)&real_connect = dlsym(RTLD_DEFAULT, "PMIx_Connect");
    *(void **)&real_get = dlsym(RTLD_DEFAULT, "PMIx_Get");
    *(void **)&get_nb = dlsym(RTLD_DEFAULT, "PMIx_Get_nb");
    *(void **)&xfer = dlsym(RTLD_DEFAULT, "PMIx_Value_xfer");
    if (real_lookup == NULL || lookup_nb == NULL || real_connect == NULL || real_get == NULL || get_nb == NULL ||
        xfer == NULL) {
        return ENOSYS;
    }
    const struct replacement replacements[] = {
        {"PMIx_Lookup", (void *)lookup}, {"PMIx_Get", (void *)get}, {"PMIx_Connect", (void *)connect_to}};
    size_t count = sizeof replacements / sizeof replacements[0];
    int rc = interpose_in("libopen-pal.so.80", replacements, count);
    return rc == 0 ? interpose_in("libmpi.so.40", replacements, count) : rc;
}

int kintsugi_limit_connecting(int64_t millis) {
    pthread_mutex_lock(&lock);
    if (prepared == 0) {
        int rc = prepare();
        prepared = rc == 0 ? 1 : -rc;
    }
    if (prepared == 1) {
        end = from_now(millis);
        limited = millis > 0;
        stopped = 0;
    }
    int rc = prepared == 1 ? 0 : -prepared;
    pthread_mutex_unlock(&lock);
    return rc;
}

void kintsugi_stop_connecting(void) {
    pthread_mutex_lock(&lock);
    if (prepared == 1 && limited) {
        stopped = 1;
        pthread_cond_broadcast(&changed);
    }
    pthread_mutex_unlock(&lock);
}

void new_processes_end_gets_of(const pmix_proc_t *process) {
    pthread_mutex_lock(&lock);
    failed[failures++ % MOST_FAILED] = *process;
    for (struct pending *pending = gets; pending != NULL; pending = pending->next) {
        if (is_same(&pending->of, process)) {
            pending->of_failed = 1;
        }
    }
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

#else

int kintsugi_start_process(const char *words, int64_t length, const char *host, int64_t number) {
    (void)words, (void)length, (void)host, (void)number;
    return ENOSYS;
}

int kintsugi_limit_connecting(int64_t millis) {
    (void)millis;
    return ENOSYS;
}

void kintsugi_stop_connecting(void) {
}

#endif
