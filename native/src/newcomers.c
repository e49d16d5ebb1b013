/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * What it takes to start a process while a job runs, and to meet it, without anybody waiting for good.
 *
 * MPI_Comm_spawn blocks until the new process is in MPI_Init, and everybody with it. PMIx_Spawn_nb only asks the launcher,
 * from any thread. The new process is a job of its own to the launcher and begins MPI alone.
 *
 * Two processes meet by MPI_Comm_connect and MPI_Comm_accept. Open MPI exchanges their names, and later some numbers, by
 * PMIx_Publish and PMIx_Lookup through the launcher, and then both call PMIx_Connect. It waits in these calls for as long
 * as it takes, even for a process that has died. So they are replaced (interpose.c) by their nonblocking forms and a wait
 * that has a limit, and that another thread can end.
 *
 * The launcher tells of a death to the processes of the dead one's own job only. What another source knows of the others
 * (the connections to jmpirun, WatchLine) comes in here as an event, as if the launcher had told it.
 */
#define _GNU_SOURCE
#include "kintsugi.h"

#include <errno.h>

#ifdef KINTSUGI_HAVE_PMIX

#include "interpose.h"

#include <dlfcn.h>
#include <pmix.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* What is of this process, and not of the next: its place in the job, the way to its daemon, and who has spawned it. */
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
                                            "OMPI_PARENT_PORT"};

static int is_own(const char *variable) {
    for (size_t i = 0; i < sizeof own_variables / sizeof own_variables[0]; i++) {
        if (strncmp(variable, own_variables[i], strlen(own_variables[i])) == 0) {
            return 1;
        }
    }
    return 0;
}

/* The launcher's answer is awaited by nobody: whoever is started says so itself. PMIx has packed the request when its call
 * returns. */
static void on_answer(pmix_status_t status, pmix_nspace_t job, void *data) {
    (void)status, (void)job, (void)data;
}

static char text_personality[] = "ompi5";
static char text_places[] = "slot:OVERSUBSCRIBE";
static char text_none[] = "none";

/* A place is free where somebody has died, but the launcher gives the slot of a dead process back at its job's end only, and
 * refuses where the dead had the last ones. Nor do the user's rules for the ranks hold for what is started later: it would
 * be bound to a core. That it dies is no end of the whole job, nor is the end of the job that has started it. */
static const pmix_info_t properties[] = {
    {.key = PMIX_PERSONALITY, .value = {.type = PMIX_STRING, .data = {.string = text_personality}}},
    {.key = PMIX_MAPBY, .value = {.type = PMIX_STRING, .data = {.string = text_places}}},
    {.key = PMIX_BINDTO, .value = {.type = PMIX_STRING, .data = {.string = text_none}}},
    {.key = PMIX_JOB_RECOVERABLE, .value = {.type = PMIX_BOOL, .data = {.flag = true}}},
#ifdef PMIX_SPAWN_CHILD_SEP
    {.key = PMIX_SPAWN_CHILD_SEP, .value = {.type = PMIX_BOOL, .data = {.flag = true}}},
#endif
};

typedef pmix_status_t spawn_fn(const pmix_info_t[], size_t, const pmix_app_t[], size_t, pmix_spawn_cbfunc_t, void *);

int kintsugi_start_process(const char *words, int64_t length) {
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
    size_t variables = 0;
    while (environ[variables] != NULL) {
        variables++;
    }
    char **argv = calloc(count + 1, sizeof *argv);
    char **env = calloc(variables + 1, sizeof *env);
    char *folder = getcwd(NULL, 0);
    int rc = ENOMEM;
    if (argv != NULL && env != NULL && folder != NULL) {
        const char *word = words;
        for (size_t i = 0; i < count; i++, word += strlen(word) + 1) {
            argv[i] = (char *)word;
        }
        size_t n = 0;
        for (size_t i = 0; i < variables; i++) {
            if (!is_own(environ[i])) {
                env[n++] = environ[i];
            }
        }
        pmix_info_t where = {.key = PMIX_WDIR, .value = {.type = PMIX_STRING, .data = {.string = folder}}};
        pmix_app_t app = {
            .cmd = argv[0], .argv = argv, .env = env, .cwd = folder, .maxprocs = 1, .info = &where, .ninfo = 1};
        rc = spawn(properties, sizeof properties / sizeof properties[0], &app, 1, on_answer, NULL) == PMIX_SUCCESS
                 ? 0
                 : EIO;
    }
    free(folder);
    free(env);
    free(argv);
    return rc;
}

/* The wait that has a limit. */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static int prepared;        /* 0: not yet, 1: done, negative: an errno value */
static int limited;         /* whether there is a limit */
static int given_up;        /* by another thread */
static struct timespec end; /* of the time, by CLOCK_MONOTONIC */

typedef pmix_status_t lookup_fn(pmix_pdata_t[], size_t, const pmix_info_t[], size_t);
typedef pmix_status_t lookup_nb_fn(char **, const pmix_info_t[], size_t, pmix_lookup_cbfunc_t, void *);
typedef pmix_status_t connect_fn(const pmix_proc_t[], size_t, const pmix_info_t[], size_t);
typedef pmix_status_t connect_nb_fn(const pmix_proc_t[], size_t, const pmix_info_t[], size_t, pmix_op_cbfunc_t, void *);
typedef pmix_status_t xfer_fn(pmix_value_t *, const pmix_value_t *);
static lookup_fn *real_lookup;
static lookup_nb_fn *lookup_nb;
static connect_fn *real_connect;
static connect_nb_fn *connect_nb;
static xfer_fn *xfer;

/* One that is awaited. Whoever comes last, the answer or the one who has given up, frees it. */
struct pending {
    int answered;
    int abandoned;
    pmix_status_t status;
    pmix_pdata_t *into; /* where what was looked up goes; NULL: nothing was */
};

/* With the lock held. */
static void is_answered(struct pending *pending, pmix_status_t status) {
    pending->answered = 1;
    pending->status = status;
    if (pending->abandoned) {
        free(pending);
    } else {
        pthread_cond_broadcast(&changed);
    }
}

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
    is_answered(pending, status);
    pthread_mutex_unlock(&lock);
}

static void on_connected(pmix_status_t status, void *cbdata) {
    pthread_mutex_lock(&lock);
    is_answered(cbdata, status);
    pthread_mutex_unlock(&lock);
}

/* With the lock held; frees what is awaited. */
static pmix_status_t await(struct pending *pending) {
    int rc = 0;
    while (!pending->answered && !given_up && rc == 0) {
        rc = pthread_cond_timedwait(&changed, &lock, &end);
    }
    if (!pending->answered) {
        pending->abandoned = 1;
        return PMIX_ERR_TIMEOUT;
    }
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
    pthread_mutex_lock(&lock);
    status = await(pending);
    pthread_mutex_unlock(&lock);
    return status;
}

static pmix_status_t connect_to(const pmix_proc_t procs[], size_t nprocs, const pmix_info_t info[], size_t ninfo) {
    if (!has_limit()) {
        return real_connect(procs, nprocs, info, ninfo);
    }
    struct pending *pending = calloc(1, sizeof *pending);
    if (pending == NULL) {
        return PMIX_ERR_NOMEM;
    }
    pmix_status_t status = connect_nb(procs, nprocs, info, ninfo, on_connected, pending);
    if (status != PMIX_SUCCESS) {
        free(pending);
        return status;
    }
    pthread_mutex_lock(&lock);
    status = await(pending);
    pthread_mutex_unlock(&lock);
    return status;
}

static int prepare(void) {
    *(void **)&real_lookup = dlsym(RTLD_DEFAULT, "PMIx_Lookup");
    *(void **)&lookup_nb = dlsym(RTLD_DEFAULT, "PMIx_Lookup_nb");
    *(void **)&real_connect = dlsym(RTLD_DEFAULT, "PMIx_Connect");
    *(void **)&connect_nb = dlsym(RTLD_DEFAULT, "PMIx_Connect_nb");
    *(void **)&xfer = dlsym(RTLD_DEFAULT, "PMIx_Value_xfer");
    if (real_lookup == NULL || lookup_nb == NULL || real_connect == NULL || connect_nb == NULL || xfer == NULL) {
        return ENOSYS;
    }
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    const struct replacement of_pal = {"PMIx_Lookup", (void *)lookup};
    const struct replacement of_mpi = {"PMIx_Connect", (void *)connect_to};
    int rc = interpose_in("libopen-pal.so.80", &of_pal, 1);
    return rc == 0 ? interpose_in("libmpi.so.40", &of_mpi, 1) : rc;
}

int kintsugi_limit_meeting(int64_t millis) {
    pthread_mutex_lock(&lock);
    if (prepared == 0) {
        int rc = prepare();
        prepared = rc == 0 ? 1 : -rc;
    }
    if (prepared == 1) {
        clock_gettime(CLOCK_MONOTONIC, &end);
        end.tv_sec += (time_t)(millis / 1000);
        end.tv_nsec += (long)(millis % 1000 * 1000000);
        if (end.tv_nsec >= 1000000000) {
            end.tv_sec++;
            end.tv_nsec -= 1000000000;
        }
        limited = millis > 0;
        given_up = 0;
    }
    int rc = prepared == 1 ? 0 : -prepared;
    pthread_mutex_unlock(&lock);
    return rc;
}

void kintsugi_give_up_meeting(void) {
    pthread_mutex_lock(&lock);
    if (prepared == 1 && limited) {
        given_up = 1;
        pthread_cond_broadcast(&changed);
    }
    pthread_mutex_unlock(&lock);
}

/* What another source knows of a death. */

typedef pmix_status_t notify_fn(pmix_status_t, const pmix_proc_t *, pmix_data_range_t, const pmix_info_t[], size_t,
                                pmix_op_cbfunc_t, void *);

/* What PMIx reads after its call has returned. */
struct notice {
    pmix_proc_t dead;
    pmix_info_t affected;
};

static void on_told(pmix_status_t status, void *notice) {
    (void)status;
    free(notice);
}

int kintsugi_tell_death(const char *job, int rank) {
    notify_fn *notify;
    *(void **)&notify = dlsym(RTLD_DEFAULT, "PMIx_Notify_event");
    if (notify == NULL) {
        return ENOSYS;
    }
    struct notice *notice = calloc(1, sizeof *notice);
    if (notice == NULL) {
        return ENOMEM;
    }
    strncpy(notice->dead.nspace, job, sizeof notice->dead.nspace - 1);
    notice->dead.rank = (pmix_rank_t)rank;
    strncpy(notice->affected.key, PMIX_EVENT_AFFECTED_PROC, sizeof notice->affected.key - 1);
    notice->affected.value.type = PMIX_PROC;
    notice->affected.value.data.proc = &notice->dead;
    pmix_status_t status = notify(PMIX_ERR_PROC_ABORTED_BY_SIG, &notice->dead, PMIX_RANGE_PROC_LOCAL, &notice->affected,
                                  1, on_told, notice);
    if (status != PMIX_SUCCESS) {
        free(notice);
        return status == PMIX_OPERATION_SUCCEEDED ? 0 : EIO;
    }
    return 0;
}

#else

int kintsugi_start_process(const char *words, int64_t length) {
    (void)words, (void)length;
    return ENOSYS;
}

int kintsugi_limit_meeting(int64_t millis) {
    (void)millis;
    return ENOSYS;
}

void kintsugi_give_up_meeting(void) {
}

int kintsugi_tell_death(const char *job, int rank) {
    (void)job, (void)rank;
    return ENOSYS;
}

#endif
