/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * Process hygiene before libmpi is loaded: the one place for it (see docs/known-issues.md).
 *
 * This library is loaded before the generated bindings (NativeLoader does it), and it is deliberately not linked against
 * libmpi, so that its constructor runs first:
 *
 *  1. UCX, where Open MPI uses it, installs a handler for SIGSEGV, and so does libinfinipath, which Debian's libfabric brings
 *     along. HotSpot lives on SIGSEGV (null checks, safepoints), so both must leave that signal alone. A value that the user
 *     has set is not touched.
 *  2. Java loads libraries with local visibility. Plugins that Open MPI opens later, and profiling tools, look for its
 *     symbols in the global scope, so libmpi is opened globally here, once. It is found like any dependency of this
 *     library: LD_LIBRARY_PATH first (mpirun sets it to its own), then the prefix compiled in (RUNPATH).
 *
 * A failure to open it is not reported here: LoadedMpi looks for another Open MPI then, as jmpirun does, or says what is wrong.
 *
 * On the Reinit++ fork this library opens itself globally, too, before libmpi: wakeup.c's functions must be found before
 * libevent's, and the global scope is searched in the order in which libraries came into it.
 */
#define _GNU_SOURCE
#include "kintsugi.h"
#include "process.h"

#include <dlfcn.h>
#include <errno.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define LIBMPI "libmpi.so.40"

void kintsugi_prepare_environment(void) {
    setenv("UCX_ERROR_SIGNALS", "SIGILL,SIGBUS,SIGFPE", 0);
    setenv("IPATH_NO_BACKTRACE", "1", 0);
    setenv("UCX_DEBUG_SIGNO", "0", 0); /* else SIGHUP does not end a JVM */
}

int kintsugi_yield_when_idle(void) {
    return setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0) == 0 ? 0 : errno;
}

/* The loader looks at the return address to know whose RUNPATH counts. Keeping the result keeps this call from being
 * the function's last act, which the compiler would make a jump of: the caller would then seem to be the loader itself.
 */
static void *volatile global_libmpi;

#ifdef KINTSUGI_REINIT
/* Only adds this library to the global scope: it is open already. */
static void open_own_library_globally(void) {
    Dl_info own;
    if (dladdr((void *)kintsugi_prepare_environment, &own) != 0) {
        dlopen(own.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
    }
}
#endif

__attribute__((constructor)) static void prepare_process(void) {
    kintsugi_prepare_environment();
#ifdef KINTSUGI_REINIT
    open_own_library_globally();
#endif
    global_libmpi = dlopen(LIBMPI, RTLD_NOW | RTLD_GLOBAL);
}

/* A function or a variable of the libmpi that is loaded; NULL where none is. */
static void *mpi_symbol(const char *name) {
    void *libmpi = dlopen(LIBMPI, RTLD_NOW | RTLD_NOLOAD);
    if (libmpi == NULL) {
        return NULL;
    }
    void *symbol = dlsym(libmpi, name);
    dlclose(libmpi); /* it stays: only one more reference was taken */
    return symbol;
}

int kintsugi_check_arguments(int on) {
    volatile bool *checks = mpi_symbol("ompi_mpi_param_check");
    if (checks == NULL) {
        return -1;
    }
    int before = *checks;
    *checks = on != 0;
    return before;
}

static int hand_out(const char *text, char *target, int64_t length) {
    size_t needed = strlen(text) + 1;
    if (length < 0 || needed > (size_t)length) {
        return ERANGE;
    }
    memcpy(target, text, needed);
    return 0;
}

int kintsugi_open_mpi(const char *path) {
    if (global_libmpi == NULL) {
        global_libmpi = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    }
    return global_libmpi == NULL ? ENOENT : 0;
}

int kintsugi_mpi_library_path(char *path, int64_t length) {
    void *function = mpi_symbol("MPI_Init");
    Dl_info info;
    if (function == NULL || dladdr(function, &info) == 0) {
        return ENOENT;
    }
    return hand_out(info.dli_fname, path, length);
}

int kintsugi_mpi_library_version(char *version, int64_t length) {
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int written;
    int (*get)(char *, int *);
    *(void **)&get = mpi_symbol("MPI_Get_library_version");
    if (get == NULL) {
        return ENOENT;
    }
    int rc = get(text, &written);
    return rc != MPI_SUCCESS ? EIO : hand_out(text, version, length);
}

#define TEXT(number) #number
#define VERSION(major, minor, release) TEXT(major) "." TEXT(minor) "." TEXT(release)

const char *kintsugi_mpi_compiled_version(void) {
    return VERSION(OMPI_MAJOR_VERSION, OMPI_MINOR_VERSION, OMPI_RELEASE_VERSION);
}
