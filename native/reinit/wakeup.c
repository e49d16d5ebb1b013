/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * Makes sure that a progress thread ends on request.
 *
 * The threads of the fork that drive events (PMIx's in every process, the launcher's for its
 * connections) look at a flag, then enter the event loop for one turn, and so on. To end one,
 * another thread clears the flag, calls event_base_loopbreak and joins the thread. But on entry a
 * loop clears the request to break: if the thread had looked at the flag just before and was not in
 * the loop yet, it goes to sleep until its next timer, and the joining thread waits with it: in a
 * daemon or mpirun after the job's end for up to 35 minutes, in a rank's MPI_Finalize for 2
 * seconds. On a loaded machine that was 1 job in some hundred.
 *
 * This function takes the place of libevent's: before it breaks the loop it leaves an event that is due at once.
 * So the thread's next turn is a short one in any case, and then it looks at the flag. The function is exported, and must
 * be found before libevent's own: this library is in the global scope before the fork's in a rank (library.c), and is
 * preloaded in the launcher.
 *
 * A fork has its own libevent 2.0.22, with names that begin with opal_libevent2022_, or the system's: both are served.
 */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <stddef.h>
#include <sys/time.h>

typedef int loopbreak_function(void *base);
typedef int once_function(void *base, int fd, short events, void (*callback)(int, short, void *), void *argument,
                          const struct timeval *delay);
#define EV_TIMEOUT 0x01

#define OWN "opal_libevent2022_"

int opal_libevent2022_event_base_loopbreak(void *base);
int event_base_loopbreak(void *base);

static void turn(int fd, short events, void *argument) {
    (void)fd;
    (void)events;
    (void)argument;
}

/* Searched in the libraries after this one. If there is none with it (a rank opens this one first),
 * in a library that is open by now. */
static void *original(const char *home, const char *name, const void *ours) {
    void *found = dlsym(RTLD_NEXT, name);
    if (found == NULL || found == ours) {
        void *library = dlopen(home, RTLD_LAZY | RTLD_NOLOAD);
        found = library == NULL ? NULL : dlsym(library, name);
        if (library != NULL) {
            dlclose(library);
        }
    }
    return found == ours ? NULL : found;
}

static int wake_and_break(void *base, once_function *once, loopbreak_function *loopbreak) {
    static const struct timeval at_once = {0, 0};
    if (once != NULL) {
        once(base, -1, EV_TIMEOUT, turn, NULL, &at_once);
    }
    return loopbreak == NULL ? -1 : loopbreak(base);
}

int opal_libevent2022_event_base_loopbreak(void *base) {
    static const char home[] = "libopen-pal.so.40";
    return wake_and_break(base, (once_function *)original(home, OWN "event_base_once", NULL),
                          (loopbreak_function *)original(home, OWN "event_base_loopbreak",
                                                         (void *)opal_libevent2022_event_base_loopbreak));
}

int event_base_loopbreak(void *base) {
    static const char home[] = "libevent_core-2.1.so.7";
    return wake_and_break(base, (once_function *)original(home, "event_base_once", NULL),
                          (loopbreak_function *)original(home, "event_base_loopbreak", (void *)event_base_loopbreak));
}
