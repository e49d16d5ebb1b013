/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * Preloaded into the fork's mpirun (and, for wakeup.c and unanswered.c, its daemons): mpirun carries out an order itself
 * before a daemon can answer it.
 *
 * A message to all daemons is handled by mpirun's main thread: it hands the message to a second thread, which sends it,
 * and only then puts it into its own queue. If the main thread loses its core in between, the others act on the message
 * and answer, and mpirun, which is a daemon as well, finds their answers in front of the message itself:
 *
 *   - The release of a fence. The next fence has the same name, so a daemon that is already there is counted for the
 *     last one, whose record is then thrown away, and the new one waits for good: in MPI_Init, which has two fences,
 *     in a recovery, or in MPI_Finalize.
 *   - The command to start the ranks. Another host's ranks report that they run before mpirun knows of them: the job
 *     is ended with "ORTE_ERROR_LOG: Not found in file .../plm_base_receive.c".
 *
 * So the second thread begins no send while the first handles a message. It waits for a second at most: should ever a
 * handler wait for an answer from outside, it is as it was before.
 */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PATIENCE_SECONDS 1

typedef void event_function(int fd, short events, void *argument);

void orte_rml_base_process_msg(int fd, short events, void *argument);
void orte_oob_base_send_nb(int fd, short events, void *argument);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects the next two */
static int handling;                                     /* how many messages are being handled, one inside the other */
static pthread_t handler;                                /* the thread that handles them */
static pthread_cond_t handled;
static event_function *process_message;
static event_function *begin_send;

/* Removes this library from the environment: the launcher's children must not load it. */
static void leave_environment(void) {
    Dl_info self;
    const char *preload = getenv("LD_PRELOAD");
    if (preload == NULL || dladdr((void *)leave_environment, &self) == 0) {
        return;
    }
    char *kept = calloc(1, strlen(preload) + 1);
    char *words = strdup(preload);
    char *rest = NULL;
    if (kept != NULL && words != NULL) {
        for (char *word = strtok_r(words, ": ", &rest); word != NULL; word = strtok_r(NULL, ": ", &rest)) {
            if (strcmp(word, self.dli_fname) != 0) {
                strcat(strcat(kept, *kept == '\0' ? "" : ":"), word);
            }
        }
        if (*kept == '\0') {
            unsetenv("LD_PRELOAD");
        } else {
            setenv("LD_PRELOAD", kept, 1);
        }
    }
    free(words);
    free(kept);
}

__attribute__((constructor)) static void prepare(void) {
    pthread_condattr_t steady;
    process_message = (event_function *)dlsym(RTLD_NEXT, "orte_rml_base_process_msg");
    begin_send = (event_function *)dlsym(RTLD_NEXT, "orte_oob_base_send_nb");
    pthread_condattr_init(&steady);
    pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
    pthread_cond_init(&handled, &steady);
    pthread_condattr_destroy(&steady);
    if (process_message != NULL) {
        /* Only the launcher's own programs have these functions. Programs that start them (a
         * shell) must pass the variable on. */
        leave_environment();
    }
}

void orte_rml_base_process_msg(int fd, short events, void *argument) {
    pthread_mutex_lock(&lock);
    handling++;
    handler = pthread_self();
    pthread_mutex_unlock(&lock);
    process_message(fd, events, argument);
    pthread_mutex_lock(&lock);
    handling--;
    pthread_cond_broadcast(&handled);
    pthread_mutex_unlock(&lock);
}

void orte_oob_base_send_nb(int fd, short events, void *argument) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += PATIENCE_SECONDS;
    int rc = 0;
    pthread_mutex_lock(&lock);
    while (handling > 0 && !pthread_equal(handler, pthread_self()) && rc == 0) {
        rc = pthread_cond_timedwait(&handled, &lock, &until);
    }
    pthread_mutex_unlock(&lock);
    begin_send(fd, events, argument);
}
