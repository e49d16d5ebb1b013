/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * Two processes that meet need each other's addresses, which the launcher has. PMIx asks it for
 * them on first use, 0.6 ms for each process, one after the other. It keeps the answer, which is
 * all that the other process has published. So a process that will meet another one requests the
 * address in advance, while no process waits for it. If the other process dies before they meet,
 * the answer is freed here. Open MPI itself frees what it has of processes that were met.
 */
#define _GNU_SOURCE
#include "kintsugi.h"

#include <errno.h>

#ifdef KINTSUGI_HAVE_PMIX

#include <dlfcn.h>
#include <mpi.h>
#include <pmix.h>
#include <pthread.h>
#include <string.h>

/* Everything comes with any key, and this one each process has published that can be reached by shared memory. (Under
 * another transport nothing is brought ahead.) */
#define NUMBER_TEXT(number) #number
#define VERSION(major, minor) NUMBER_TEXT(major) "." NUMBER_TEXT(minor)
#define ANY_KEY "btl.sm." VERSION(OMPI_MAJOR_VERSION, OMPI_MINOR_VERSION)

typedef pmix_status_t get_nb_fn(const pmix_proc_t *, const char[], const pmix_info_t[], size_t, pmix_value_cbfunc_t,
                                void *);

static void on_got(pmix_status_t status, pmix_value_t *value, void *nothing) {
    (void)status, (void)value, (void)nothing;
}

int kintsugi_prefetch_address(const char *job, int rank) {
    static const pmix_info_t at_once = {.key = PMIX_IMMEDIATE, .value = {.type = PMIX_BOOL, .data = {.flag = true}}};
    get_nb_fn *get_nb;
    *(void **)&get_nb = dlsym(RTLD_DEFAULT, "PMIx_Get_nb");
    if (get_nb == NULL) {
        return ENOSYS;
    }
    pmix_proc_t process = {.rank = (pmix_rank_t)rank};
    strncpy(process.nspace, job, sizeof process.nspace - 1);
    return get_nb(&process, ANY_KEY, &at_once, 1, on_got, NULL) == PMIX_SUCCESS ? 0 : EIO;
}

int kintsugi_forget_job(const char *job) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static pmix_nspace_t last;
    void (*forget)(const char *);
    *(void **)&forget = dlsym(RTLD_DEFAULT, "pmix_client_forget_nspace"); /* a patch of ours */
    if (forget == NULL) {
        return ENOSYS;
    }
    pthread_mutex_lock(&lock);
    if (last[0] != '\0') {
        forget(last); /* again: a late answer may have restored it */
    }
    strncpy(last, job, sizeof last - 1);
    forget(job);
    pthread_mutex_unlock(&lock);
    return 0;
}

#else

int kintsugi_prefetch_address(const char *job, int rank) {
    (void)job, (void)rank;
    return ENOSYS;
}

int kintsugi_forget_job(const char *job) {
    (void)job;
    return ENOSYS;
}

#endif
