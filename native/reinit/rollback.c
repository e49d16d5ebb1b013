/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * Rollback never crosses a Java frame: how the Reinit++ fork of Open MPI lives in a JVM.
 *
 * The fork: when a process dies, its launcher starts it again and sends SIGUSR1 to all others. The
 * fork's handler then jumps, from wherever the thread is, back into OMPI_Reinit, which repairs
 * MPI_COMM_WORLD and calls the restart point once more. In a JVM, the jump would tear Java frames
 * off the stack, and the signal may hit any thread.
 *
 * Here:
 *
 *   1. OMPI_Reinit runs on a stack of its own (`reinit_stack`), and nothing else does. Its restart point does not call
 *      Java: it switches back to the Java thread's stack (`java`), and kintsugi_reinit_enter returns there. So while an
 *      epoch runs, the frames that the fork jumps to are alive, and no Java frame is above or below them.
 *   2. The first thing that the restart point does is to replace the fork's handler by ours (and to keep the fork's).
 *   3. Our handler, on the MPI thread, leaves a flag, `pending`. If the thread is in a guarded call that may wait, it
 *      jumps to that call's guard (guard.h), which returns an error code to Java. That jump crosses frames of MPI only.
 *   4. Java throws, unwinds, and calls kintsugi_reinit_roll_back, which switches to `reinit_stack` and calls the fork's
 *      handler there, as a plain function. Its jump crosses its own frame, ours, and that of OMPI_Reinit's call.
 *
 *      Java stack:   ... Java, JNI, guard, MPI_Recv, opal_progress  --(3)-->  guard
 *      reinit_stack: run_reinit, OMPI_Reinit, restart_point, the fork's handler  --(4)-->  OMPI_Reinit
 *
 * What must hold, and why it does:
 *
 *   a. Jump (3) abandons MPI's frames only where that is safe. The fork blocks SIGUSR1 in every
 *      call that can wait, and opens it at the end of each progress turn and of the call. But it
 *      opens it there for good, so a signal could also arrive after the wait, while a free list is
 *      being changed. So we jump only when pthread_sigmask itself unblocked the signal (the
 *      interrupted instruction is in that function): precisely at the end of a progress turn or of
 *      the call. Anywhere else in the call the handler blocks the signal in the interrupted context
 *      and raises it again, so that it comes back at the next such place.
 *   b. Functions that wait for no other process are never jumped out of: the next call that communicates sees the flag.
 *      So objects that outlive an epoch (datatypes, groups, ...) are never half made or freed twice.
 *   c. A callback from MPI into Java (a user-defined reduction) forbids the jump while it is on the stack
 *      (kintsugi_callback_begin, _end); the signal comes back afterwards as in (a). MPI forbids to call MPI from there;
 *      should Java do so, those inner calls are not guarded, so the outer call's jump point stays good.
 *   d. Only the MPI thread jumps. On another thread the handler only passes the signal on to the MPI thread: if it set the
 *      flag, that thread might have rolled back already when the signal itself arrives, and would roll back a second
 *      time, alone. (Under jmpirun all other threads have the signal blocked.) Calls from other threads are refused:
 *      guard.h.
 *   e. A signal during a recovery (RECOVERING, on reinit_stack) goes to the fork's handler at once, as in C.
 *   f. A signal before OMPI_Reinit leaves the flag, and the first entry of the restart point rolls back at once, so
 *      that all processes take part in the recovery. In OMPI_Reinit's own set-up the fork's handler is in place for
 *      some microseconds; it ends the job if the signal comes between its installation and the arming of its jump
 *      buffer.
 *   g. A signal after the run (LEFT) leaves the flag only: OMPI_Reinit's frames are gone.
 *   h. A signal raised again by (a) that has not come back when the epoch ends is taken before the fork's handler is
 *      called: otherwise the next epoch would begin with a rollback of this process alone.
 *   i. MPI_THREAD_SINGLE: with any higher level the fork keeps stack objects of waiting threads in
 *      a list, and a jump does not remove them from it. Java's FUNNELED needs no more than that:
 *      one thread calls MPI, the library starts no second.
 *
 *   j. No message of an abandoned epoch is received in the next one, and none of the next is lost. The fork does not
 *      ensure that: quiesce.c explains the problem and the solution. It runs in the delete callback of an attribute that
 *      we set on MPI_COMM_WORLD, which the fork calls in the one right place: all have stopped sending (they have passed
 *      the fence before it), and the old world still exists and can receive the messages. A signal stays blocked
 *      meanwhile: the fork is about to destroy the world, and must not begin that twice. links.c handles messages over
 *      TCP.
 *
 *   k. MPI still writes into the frames of a call that was left: a request that is waited for with others (MPI_Waitall,
 *      many collectives) has the address of a counter there, and some functions (MPI_Intercomm_create) receive into
 *      them. Such a request may complete while the queues are emptied (j). By then Java has its own frames on that stack,
 *      those that lead to kintsugi_reinit_roll_back. So the frames of a call that may be left are KINTSUGI_APART_BYTES
 *      further down than its guard, and Java does not reach that far: it has unwound to the run, and from there it is a
 *      few frames to the roll-back. Where the stack has no room for that, the call is made without this gap.
 *
 * The fork also replaces the handler of SIGPIPE, which HotSpot relies on: it is restored.
 *
 * The few functions of MPI that are needed are looked up, as this library must not be linked against it
 * (src/library.c).
 */
#define _GNU_SOURCE
#include "rollback.h"

#include "board.h"
#include "finalize.h"
#include "gather.h"
#include "idle_sleep.h"
#include "links.h"
#include "quiesce.h"
#include "reinit_ext.h"
#include "segment.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <mpi.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#define ROLLBACK_SIGNAL SIGUSR1
#define STACK_BYTES (1024 * 1024)
#define GUARD_BYTES (64 * 1024)

typedef int (*restart_point_fn)(int, char **, int);

struct kintsugi_guard kintsugi_guard;

static enum { EARLY, RUNNING, RECOVERING, LEFT } volatile mode = EARLY;
static enum { ROLL_BACK, LEAVE } command;

static struct sigaction before;      /* what was there when we came */
static struct sigaction pipe_before; /* HotSpot's SIGPIPE */
static void (*roll_back)(int);       /* the fork's handler */

static ucontext_t java;
static ucontext_t reinit;
static char *reinit_stack;
static int (*ompi_reinit)(int, char **, restart_point_fn);
static void (*progress)(void);
static _Bool (*set_yield)(_Bool);
static int (*set_attribute)(MPI_Comm, int, void *);
static MPI_Comm world;
static int drain_key = MPI_KEYVAL_INVALID;
static volatile sig_atomic_t draining;
static int state;
static _Bool replacement; /* whether this process replaces a failed one */
static int value;
static int not_adapted[KINTSUGI_ADAPTED_PARTS]; /* errno values, by part */

/* The address range of pthread_sigmask, inside which signals are delivered that came while they were blocked. */
static uintptr_t sigmask_begin;
static uintptr_t sigmask_end;

static int find_sigmask(void) {
    Dl_info info;
    ElfW(Sym) *symbol = NULL;
    void *function = dlsym(RTLD_DEFAULT, "pthread_sigmask");
    if (function == NULL || dladdr1(function, &info, (void **)&symbol, RTLD_DL_SYMENT) == 0 || symbol == NULL) {
        return ENOSYS;
    }
    sigmask_begin = (uintptr_t)function;
    sigmask_end = sigmask_begin + symbol->st_size;
    return symbol->st_size == 0 ? ENOSYS : 0;
}

static uintptr_t interrupted_at(const ucontext_t *context) {
#if defined(__x86_64__)
    return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (uintptr_t)context->uc_mcontext.pc;
#else
#error "say how to read the program counter of a ucontext_t on this machine"
#endif
}

static void mask(int how) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, ROLLBACK_SIGNAL);
    pthread_sigmask(how, &signals, NULL);
}

/* Has a signal delivered once more when MPI unblocks it the next time: it is blocked now, in the handler, so it
 * stays pending, and it stays blocked in the interrupted code. */
static void come_back(int signal, ucontext_t *interrupted) {
    pthread_kill(pthread_self(), signal);
    sigaddset(&interrupted->uc_sigmask, signal);
}

/* On reinit_stack: jumps into OMPI_Reinit, which calls the restart point once more. */
static void jump_back(void) {
    links_abandon();
    roll_back(ROLLBACK_SIGNAL);
}

static void on_signal(int signal, siginfo_t *info, void *data) {
    (void)info;
    int saved_errno = errno;
    if (!pthread_equal(pthread_self(), kintsugi_guard.thread)) {
        pthread_kill(kintsugi_guard.thread, signal); /* (d) */
    } else if (draining) {
        come_back(signal, data);
    } else if (mode == RECOVERING) {
        jump_back(); /* (e) */
    } else {
        kintsugi_guard.pending = 1;
        if (kintsugi_guard.inside) {
            ucontext_t *context = data;
            uintptr_t at = interrupted_at(context);
            if (!kintsugi_guard.callback && at >= sigmask_begin && at < sigmask_end) {
                kintsugi_guard.inside = 0;
                siglongjmp(kintsugi_guard.jump, 1);
            }
            come_back(signal, context);
        }
    }
    errno = saved_errno;
}

void kintsugi_guard_landed(void) {
    /* The handler's mask is still in force: siglongjmp to a buffer without a mask leaves it alone. */
    mask(SIG_UNBLOCK);
}

void kintsugi_callback_begin(void) {
    kintsugi_guard.callback++;
}

void kintsugi_callback_end(void) {
    if (--kintsugi_guard.callback == 0 && kintsugi_guard.pending && kintsugi_guard.inside) {
        mask(SIG_BLOCK);
        pthread_kill(pthread_self(), ROLLBACK_SIGNAL); /* (c): comes when MPI lets it in */
    }
}

static int install(struct sigaction *old) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_RESTART; /* no SA_ONSTACK: the fork's handler jumps from it */
    sigemptyset(&action.sa_mask);
    return sigaction(ROLLBACK_SIGNAL, &action, old) == 0 ? 0 : errno;
}

/* The lowest address of this thread's stack; if it is not known, an address above which there is no room. */
static char *end_of_stack(void) {
    pthread_attr_t attributes;
    void *lowest = NULL;
    size_t bytes = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) {
        return __builtin_frame_address(0);
    }
    if (pthread_attr_getstack(&attributes, &lowest, &bytes) != 0) {
        lowest = __builtin_frame_address(0);
    }
    pthread_attr_destroy(&attributes);
    return lowest;
}

int kintsugi_reinit_prepare(void) {
    int rc = find_sigmask();
    if (rc != 0) {
        return rc;
    }
    *(void **)&ompi_reinit = dlsym(RTLD_DEFAULT, "OMPI_Reinit");
    *(void **)&progress = dlsym(RTLD_DEFAULT, "opal_progress");
    *(void **)&set_yield = dlsym(RTLD_DEFAULT, "opal_progress_set_yield_when_idle");
    *(void **)&set_attribute = dlsym(RTLD_DEFAULT, "MPI_Comm_set_attr");
    world = dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world");
    if (ompi_reinit == NULL || progress == NULL || set_yield == NULL || set_attribute == NULL || world == NULL) {
        return ENOSYS;
    }
    kintsugi_guard.thread = pthread_self();
    kintsugi_guard.stack_end = end_of_stack();
    segment_disown();
    board_open();
    quiesce_enrol();
    gather_begin();
    rc = install(&before);
    mask(SIG_UNBLOCK);
    return rc;
}

/* (j) */
static int drain(MPI_Comm comm, int key, void *attribute, void *extra) {
    (void)comm, (void)key, (void)attribute, (void)extra;
    if (mode != RECOVERING) {
        return MPI_SUCCESS; /* MPI_Finalize */
    }
    draining = 1;
    quiesce(progress, set_yield);
    /* As the fork had it before our progress turns opened it, (a): a signal now stays pending until the fork's next progress
     * turn. First of all, as a signal that finds `draining` at 0 here would jump out of the end of this world. */
    mask(SIG_BLOCK);
    draining = 0;
    links_release();
    return MPI_SUCCESS;
}

static int no_copy(MPI_Comm comm, int key, void *extra, void *attribute, void *copy, int *flag) {
    (void)comm, (void)key, (void)extra, (void)attribute, (void)copy;
    *flag = 0;
    return MPI_SUCCESS;
}

static void drain_at_the_end_of_this_world(void) {
    if (drain_key == MPI_KEYVAL_INVALID) {
        int (*create_key)(MPI_Comm_copy_attr_function *, MPI_Comm_delete_attr_function *, int *, void *);
        *(void **)&create_key = dlsym(RTLD_DEFAULT, "MPI_Comm_create_keyval");
        create_key(no_copy, drain, &drain_key, NULL);
    }
    set_attribute(world, drain_key, NULL);
}

/* Runs on reinit_stack; the code that it switches to, and is resumed from, is in a function of ours on the Java
 * stack. */
static int restart_point(int argc, char **argv, int new_state) {
    (void)argc, (void)argv;
    state = new_state;
    idle_sleep_begin(set_yield);
    if (mode == EARLY) {
        /* Known here only: a failure that came before, (f), has it called with REINITED at once. */
        replacement = new_state == OMPI_REINIT_RESTARTED;
        struct sigaction forks;
        install(&forks);
        sigaction(SIGPIPE, &pipe_before, NULL);
        roll_back = forks.sa_handler;
        not_adapted[KINTSUGI_LINKS] = links_adapt();
        not_adapted[KINTSUGI_FINALIZE] = finalize_adapt();
        not_adapted[KINTSUGI_QUIESCE] = quiesce_adapt();
        links_begin(progress);
        quiesce_join();
        drain_at_the_end_of_this_world();
        if (kintsugi_guard.pending) {
            command = ROLL_BACK; /* (f) */
        } else {
            mode = RUNNING;
            swapcontext(&reinit, &java);
        }
    } else {
        links_begin(progress);
        drain_at_the_end_of_this_world();
        kintsugi_guard.pending = 0; /* before the mode changes: until then a signal begins a recovery of its own */
        mode = RUNNING;
        swapcontext(&reinit, &java);
    }
    if (command == ROLL_BACK) {
        mode = RECOVERING;
        jump_back();
    }
    links_release();
    mode = LEFT;
    return value;
}

static void run_reinit(void) {
    static char name[] = "kintsugi";
    static char *argv[] = {name, NULL};
    value = ompi_reinit(1, argv, restart_point);
}

/* On the Java stack: goes to reinit_stack and comes back when the restart point is entered or OMPI_Reinit has returned.
 */
static void to_reinit(void) {
    swapcontext(&java, &reinit);
    kintsugi_guard.inside = 0;
    mask(SIG_UNBLOCK);
}

int kintsugi_reinit_enter(void) {
    if (ompi_reinit == NULL || reinit_stack != NULL) {
        return -EINVAL;
    }
    void *memory = mmap(NULL, GUARD_BYTES + STACK_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return -errno;
    }
    reinit_stack = memory;
    if (mprotect(reinit_stack + GUARD_BYTES, STACK_BYTES, PROT_READ | PROT_WRITE) != 0 || getcontext(&reinit) != 0) {
        return -errno;
    }
    mask(SIG_UNBLOCK); /* as (h), after a guarded call before the run */
    sigaction(SIGPIPE, NULL, &pipe_before);
    reinit.uc_stack.ss_sp = reinit_stack + GUARD_BYTES;
    reinit.uc_stack.ss_size = STACK_BYTES;
    reinit.uc_link = &java;
    makecontext(&reinit, run_reinit, 0);
    to_reinit();
    return state;
}

int kintsugi_reinit_is_replacement(void) {
    return replacement;
}

int kintsugi_reinit_not_adapted(int part) {
    return part >= 0 && part < KINTSUGI_ADAPTED_PARTS ? not_adapted[part] : EINVAL;
}

int kintsugi_reinit_roll_back(void) {
    if (mode != RUNNING) {
        return -EINVAL;
    }
    gather_begin();
    mask(SIG_UNBLOCK); /* (h) */
    command = ROLL_BACK;
    to_reinit();
    return state;
}

int kintsugi_reinit_leave(int result) {
    if (mode != RUNNING) {
        return -EINVAL;
    }
    command = LEAVE;
    value = result;
    to_reinit();
    return value;
}

int kintsugi_reinit_is_pending(void) {
    return kintsugi_guard.pending;
}

void kintsugi_reinit_gather(int stage) {
    gather(stage, &kintsugi_guard.pending);
    if (stage == KINTSUGI_AT_BODY) {
        idle_sleep_soon_over();
    }
}

void kintsugi_reinit_release(void) {
    sigaction(ROLLBACK_SIGNAL, &before, NULL);
}

void kintsugi_reinit_end_job(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = SIG_DFL;
    sigaction(ROLLBACK_SIGNAL, &action, NULL);
    mask(SIG_UNBLOCK);
    kill(getpid(), ROLLBACK_SIGNAL);
    for (;;) {
        pause();
    }
}
