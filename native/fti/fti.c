/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * FTI inside a job that recovers in place.
 *
 * FTI ignores MPI's return codes, blocks in communicators of its own that no other code knows, and
 * has no function that stops it. include/leave_call.h says how a process leaves FTI when another one
 * dies, and what must hold for that. FTI's state is not used afterwards: the next call to that
 * instance is FTI_Init, which sets all of it anew.
 *
 * With ULFM three communicators are revoked before the jump: the one that FTI_Init is given, and
 * the two that FTI makes from it. (A process in FTI may also wait for one that is not in FTI. So
 * the engine has these communicators in the epoch's scope, and a process that rolls back revokes
 * the whole scope.) A communicator may not exist yet on all processes, or its creation may have
 * failed (comm_create below). No process waits for good in that case: FTI makes both by collective
 * calls on the communicator it was given, its next step on all processes is another such call, and
 * that communicator is revoked first.
 *
 * Why what a jump leaves in memory does no harm:
 *
 *   a. Messages on their way into buffers on the stack of the abandoned frames (results of FTI's reductions): FTI
 *      runs on a stack of its own. One that was jumped on is kept until the next such jump, when that epoch is long
 *      drained, and never used again meanwhile. Buffers on the heap are never freed: their owners are gone. That,
 *      and the FILE objects of (b), is what an interrupted call costs: some megabytes at most, by FTI's block size.
 *
 *   b. Files that were open: libc writes what is left in their buffers when the process ends, which could go into
 *      a file of the same name that is good by then. kintsugi_fti_abandon_files puts /dev/null in their place.
 *
 *   c. No lock is held: FTI calls MPI from its plain code only, and starts no threads (no GPU, no head processes).
 *
 * Two instances: FTI keeps one version per level, and takes the old one apart before the new one is in place, lower
 * levels included. A death in that moment costs both. So the library is loaded twice, from a copy in memory the second
 * time (the loader knows files by their inode), each with variables and directories of its own, and the engine writes
 * them in turn.
 *
 * This library is not linked against libmpi (src/library.c): the few functions that are needed are looked up.
 */
#define _GNU_SOURCE
#include "fti_guard.h"
#include "interpose.h"
#include "leave_call.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <ucontext.h>
#include <unistd.h>

/* The size of a usual thread's stack, which FTI and its MPI are written for. Pages that are not touched take no
 * memory. */
#define STACK_BYTES ((size_t)8 * 1024 * 1024)
#define GUARD_BYTES ((size_t)64 * 1024)

static struct instance {
    void *library;
    MPI_Comm global; /* as told to kintsugi_fti_arm */
} instances[KINTSUGI_FTI_INSTANCES];

static struct instance *current = &instances[0];
static char problem[512];
static int interrupted;

static ucontext_t java;
static ucontext_t fti;
static char *stack;     /* NULL: none, or the last one was jumped on */
static char *abandoned; /* the one that was jumped on last */
static void (*run_call)(void *);
static void *run_argument;

static int fail(int code, const char *text) {
    snprintf(problem, sizeof problem, "%s", text);
    return code;
}

/* The loader identifies a file by its inode: a copy in memory is another library. */
static void *load_copy(void *original) {
    struct link_map *map;
    if (dlinfo(original, RTLD_DI_LINKMAP, &map) != 0) {
        fail(0, dlerror());
        return NULL;
    }
    int from = open(map->l_name, O_RDONLY | O_CLOEXEC);
    int to = memfd_create("libfti", MFD_CLOEXEC);
    struct stat status;
    void *copy = NULL;
    if (from < 0 || to < 0 || fstat(from, &status) != 0) {
        snprintf(problem, sizeof problem, "cannot copy %s: %s", map->l_name, strerror(errno));
    } else {
        off_t left = status.st_size;
        ssize_t n = 1;
        while (left > 0 && (n = sendfile(to, from, NULL, left)) > 0) {
            left -= n;
        }
        char path[64];
        snprintf(path, sizeof path, "/proc/self/fd/%d", to);
        if (left > 0) {
            snprintf(problem, sizeof problem, "cannot copy %s: %s", map->l_name,
                     n < 0 ? strerror(errno) : "it ends early");
        } else if ((copy = dlopen(path, RTLD_NOW | RTLD_LOCAL)) == NULL) {
            fail(0, dlerror());
        }
    }
    if (from >= 0) {
        close(from);
    }
    if (to >= 0) {
        close(to);
    }
    return copy;
}

/* FTI closes a stream that it could not write to, and the function that called it closes that stream again. */
#define MAX_BROKEN 16
static FILE *broken[MAX_BROKEN];
static int broken_count;

static int close_unless_broken(FILE *stream) {
    if (!ferror(stream)) {
        return fclose(stream);
    }
    for (int i = 0; i < broken_count; i++) {
        if (broken[i] == stream) {
            return EOF;
        }
    }
    if (broken_count < MAX_BROKEN) {
        broken[broken_count++] = stream;
    }
    return EOF;
}

/* FTI has returned, or was left, maybe in the middle of writing one of these streams: their files are abandoned. */
static void close_broken(int left) {
    for (int i = 0; i < broken_count && !left; i++) {
        fclose(broken[i]);
    }
    broken_count = 0;
}

#ifndef KINTSUGI_REINIT

static int (*create_comm)(MPI_Comm, MPI_Group, MPI_Comm *);

/* Open MPI stores a communicator in its argument even if it has failed to make one, and calls the error handler afterwards. Such
 * a communicator is half made, and revoke_all would crash on it. So MPI stores it in a variable of this function. The error
 * handler jumps out of this frame, and FTI's own variable, which revoke_all reads, is not assigned. */
static int comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *made) {
    MPI_Comm fresh = NULL;
    int code = create_comm(comm, group, &fresh);
    *made = fresh;
    return code;
}

#endif

/* Adapts a library that has just been loaded. 0, or an errno value. */
static int adapt(void *library) {
    static const struct replacement replacements[] = {
        {.symbol = "fclose", .address = (void *)close_unless_broken},
#ifndef KINTSUGI_REINIT
        {.symbol = "MPI_Comm_create", .address = (void *)comm_create},
#endif
    };
#ifndef KINTSUGI_REINIT
    *(void **)&create_comm = dlsym(RTLD_DEFAULT, "MPI_Comm_create");
    if (create_comm == NULL) {
        return fail(ENOSYS, "there is no MPI_Comm_create");
    }
#endif
    struct link_map *map;
    if (dlinfo(library, RTLD_DI_LINKMAP, &map) != 0) {
        return fail(ENOSYS, dlerror());
    }
    static struct objects one = {.count = 1};
    one.names[0] = map->l_name;
    int rc = interpose(&one, replacements, sizeof(replacements) / sizeof(replacements[0]));
    return rc == 0 ? 0 : fail(rc, "libfti.so cannot be prepared for what fails");
}

int kintsugi_fti_use(int instance) {
    if (instance < 0 || instance >= KINTSUGI_FTI_INSTANCES) {
        return fail(EINVAL, "no such instance");
    }
    if (instances[0].library == NULL) {
        /* Loaded by FtiPreset, from the home that it found. */
        void *library = dlopen("libfti.so", RTLD_NOW | RTLD_NOLOAD);
        if (library == NULL) {
            return fail(ENOENT, "libfti.so is not loaded");
        }
        if (dlsym(library, "FTI_Init") == NULL || dlsym(library, "FTI_Exec") == NULL) {
            return fail(ENOSYS, "libfti.so has no FTI_Init or no FTI_Exec: FTI 1.6 is needed");
        }
        int rc = adapt(library);
        if (rc != 0) {
            return rc;
        }
        instances[0].library = library;
    }
    if (instances[instance].library == NULL) {
        void *copy = load_copy(instances[0].library);
        int rc = copy == NULL ? EIO : adapt(copy);
        if (rc != 0) {
            return rc;
        }
        instances[instance].library = copy;
    }
    current = &instances[instance];
    return 0;
}

const char *kintsugi_fti_problem(void) {
    return problem;
}

void *kintsugi_fti_symbol(const char *name) {
    if (current->library == NULL && kintsugi_fti_use((int)(current - instances)) != 0) {
        return NULL;
    }
    return dlsym(current->library, name);
}

/* The size of a variable; 0: not there. */
int64_t kintsugi_fti_size(const char *name) {
    Dl_info info;
    ElfW(Sym) *symbol = NULL;
    void *variable = kintsugi_fti_symbol(name);
    if (variable == NULL || dladdr1(variable, &info, (void **)&symbol, RTLD_DL_SYMENT) == 0 || symbol == NULL) {
        return 0;
    }
    return (int64_t)symbol->st_size;
}

/* The communicator of the group. In FTI_Exec it follows the communicator that FTI_Init was given;
 * FTI has no function that returns it. */
static MPI_Comm *group_comm(void) {
    MPI_Comm *word = kintsugi_fti_symbol("FTI_Exec");
    size_t words = (size_t)kintsugi_fti_size("FTI_Exec") / sizeof *word;
    for (size_t i = 0; i + 1 < words; i++) {
        if (word[i] == current->global) {
            return &word[i + 1];
        }
    }
    return NULL;
}

MPI_Comm kintsugi_fti_communicator(int which) {
    if (current->global == NULL) {
        return NULL;
    }
    MPI_Comm null = dlsym(RTLD_DEFAULT, "ompi_mpi_comm_null");
    MPI_Comm *comm = which == 0 ? kintsugi_fti_symbol("FTI_COMM_WORLD") : group_comm();
    return comm == NULL || *comm == null || *comm == current->global ? NULL : *comm;
}

/* FTI_Init leaves the group's communicator as it was until it has made another one; the one before has been freed. */
static void begin_with(MPI_Comm global) {
    MPI_Comm *group = current->global == NULL ? NULL : group_comm();
    if (group != NULL) {
        *group = NULL;
    }
    current->global = global;
}

int kintsugi_fti_arm(MPI_Comm global) {
    begin_with(global);
    return kintsugi_leave_watch(global);
}

int kintsugi_fti_rearm(MPI_Comm comm) {
    return kintsugi_leave_watch(comm);
}

/* Revokes all three communicators of the instance; the one that has failed may not be in its variable yet. */
static void revoke_all(MPI_Comm failed) {
    int (*revoke)(MPI_Comm);
    *(void **)&revoke = dlsym(RTLD_DEFAULT, "MPIX_Comm_revoke");
    MPI_Comm all[] = {current->global, failed, kintsugi_fti_communicator(0), kintsugi_fti_communicator(1)};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (revoke != NULL && all[i] != NULL) {
            revoke(all[i]);
        }
    }
}

static void guarded(void) {
    if (sigsetjmp(*kintsugi_leave_point(), 0) == 0) {
        kintsugi_leave_arm(revoke_all);
        interrupted = kintsugi_leave_entry_refused();
        if (interrupted == 0) {
            run_call(run_argument);
        }
        kintsugi_leave_disarm();
    } else {
        interrupted = kintsugi_leave_landed(KINTSUGI_LEFT_BY_FAILURE);
        abandoned = stack;
    }
}

static int provide_stack(void) {
    if (stack != NULL) {
        return 0;
    }
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK;
    void *memory = mmap(NULL, GUARD_BYTES + STACK_BYTES, PROT_NONE, flags, -1, 0);
    if (memory == MAP_FAILED) {
        return errno;
    }
    if (mprotect((char *)memory + GUARD_BYTES, STACK_BYTES, PROT_READ | PROT_WRITE) != 0) {
        int error = errno;
        munmap(memory, GUARD_BYTES + STACK_BYTES);
        return error;
    }
    stack = memory;
    return 0;
}

void kintsugi_fti_run(void (*call)(void *), void *argument) {
    interrupted = kintsugi_leave_entry_refused();
    if (interrupted != 0) {
        return;
    }
    if (provide_stack() != 0 || getcontext(&fti) != 0) {
        interrupted = MPI_ERR_NO_MEM;
        return;
    }
    run_call = call;
    run_argument = argument;
    fti.uc_stack.ss_sp = stack + GUARD_BYTES;
    fti.uc_stack.ss_size = STACK_BYTES;
    fti.uc_link = &java;
    char *old = abandoned;
    makecontext(&fti, guarded, 0);
    swapcontext(&java, &fti);
    close_broken(interrupted != 0);
    if (abandoned == stack) {
        stack = NULL;
        if (old != NULL) {
            munmap(old, GUARD_BYTES + STACK_BYTES);
        }
    }
}

int kintsugi_fti_interrupted(void) {
    return interrupted;
}

int kintsugi_fti_abandon_files(const char *folder) {
    DIR *descriptors = opendir("/proc/self/fd");
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (descriptors == NULL || null < 0) {
        int error = errno;
        if (descriptors != NULL) {
            closedir(descriptors);
        }
        return -error;
    }
    int count = 0;
    size_t length = strlen(folder);
    struct dirent *entry;
    while ((entry = readdir(descriptors)) != NULL) {
        char target[4096];
        ssize_t n = readlinkat(dirfd(descriptors), entry->d_name, target, sizeof target - 1);
        if (n > (ssize_t)length && strncmp(target, folder, length) == 0 && target[length] == '/') {
            dup3(null, atoi(entry->d_name), O_CLOEXEC);
            count++;
        }
    }
    close(null);
    closedir(descriptors);
    return count;
}
