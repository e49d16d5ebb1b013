/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * For tests: preloaded into ranks, it ends the process by SIGKILL at one stage. So a test can kill
 * a process at every stage of a save in turn, for all engines: those in Java, FTI and SCR.
 *
 * A stage is where the process is about to call MPI, or to change a regular file or a folder; and with the writing of a
 * file also where half of it is written, as a file is torn there. Stages are counted from kintsugi's Stages.arm on, in
 * all threads together. Calls of MPI that only look at something and those that come by chance (MPI_Test, MPI_Iprobe)
 * are none.
 */
#define _GNU_SOURCE

#include <mpi.h>

#include <mpi-ext.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <jni.h>
#ifdef KINTSUGI_HAVE_PMIX
#include <pmix.h>
#endif
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The stage of the death, counted from the arming on; 0: none. */
static atomic_long deadly;
static atomic_long passed;

/* The only call that counts; empty: all do. Set before any stage is armed. */
static char only[64];

/* What a call is about: a path, or the number of an open file; NULL and NO_FILE: neither. */
#define NO_FILE (-1)

static void die(const char *call, long at, const char *path, int file) {
    char target[4096] = "";
    if (file != NO_FILE) {
        char link[64];
        snprintf(link, sizeof link, "/proc/self/fd/%d", file);
        if (readlink(link, target, sizeof target - 1) > 0) {
            path = target;
        }
    }
    dprintf(STDERR_FILENO, "stages: death at %ld, %s %s\n", at, call, path == NULL ? "" : path);
    kill(getpid(), SIGKILL);
}

static void stage(const char *call, const char *path, int file) {
    long target = atomic_load(&deadly);
    if (target > 0 && (only[0] == '\0' || strcmp(only, call) == 0) && atomic_fetch_add(&passed, 1) + 1 == target) {
        die(call, target, path, file);
    }
}

JNIEXPORT void JNICALL Java_org_kintsugi_ci_soak_Stages_arm(JNIEnv *env, jclass self, jlong at) {
    (void)env, (void)self;
    atomic_store(&passed, 0);
    atomic_store(&deadly, at);
}

JNIEXPORT void JNICALL Java_org_kintsugi_ci_soak_Stages_only(JNIEnv *env, jclass self, jstring call) {
    (void)self;
    const char *name = (*env)->GetStringUTFChars(env, call, NULL);
    if (name != NULL) {
        snprintf(only, sizeof only, "%s", name);
        (*env)->ReleaseStringUTFChars(env, call, name);
    }
}

JNIEXPORT jlong JNICALL Java_org_kintsugi_ci_soak_Stages_disarm(JNIEnv *env, jclass self) {
    (void)env, (void)self;
    atomic_store(&deadly, 0);
    return atomic_load(&passed);
}

/* The function that the name would mean without this library, and its name if it is found by another one. */
#define ORIGINAL(name, where, symbol)                                                                                  \
    static __typeof__(&name) original;                                                                                 \
    if (original == NULL) {                                                                                            \
        original = (__typeof__(&name))dlsym(where, symbol);                                                            \
    }

#define STAGE_AT(type, name, parameters, arguments, where, symbol, path, file)                                         \
    type name parameters {                                                                                             \
        ORIGINAL(name, where, symbol)                                                                                  \
        stage(#name, path, file);                                                                                      \
        return original arguments;                                                                                     \
    }
#define STAGE(type, name, parameters, arguments, path, file)                                                           \
    STAGE_AT(type, name, parameters, arguments, RTLD_NEXT, #name, path, file)
#define STAGE_PATH(type, name, parameters, arguments) STAGE(type, name, parameters, arguments, path, NO_FILE)
#define STAGE_FILE(type, name, parameters, arguments) STAGE(type, name, parameters, arguments, NULL, file)
#define STAGE_STREAM(type, name, parameters, arguments)                                                                \
    STAGE(type, name, parameters, arguments, NULL, stream == NULL ? NO_FILE : fileno(stream))

/* Files and folders. */

static int is_file(int descriptor) {
    struct stat status;
    return atomic_load(&deadly) > 0 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

/* Opening is a stage if it makes or empties a file. */
#define STAGE_OPEN(name)                                                                                               \
    int name(const char *path, int flags, ...) {                                                                       \
        ORIGINAL(name, RTLD_NEXT, #name)                                                                               \
        mode_t mode = 0;                                                                                               \
        if ((flags & O_CREAT) != 0) {                                                                                  \
            va_list more;                                                                                              \
            va_start(more, flags);                                                                                     \
            mode = va_arg(more, mode_t);                                                                               \
            va_end(more);                                                                                              \
        }                                                                                                              \
        if ((flags & (O_CREAT | O_TRUNC)) != 0) {                                                                      \
            stage(#name, path, NO_FILE);                                                                               \
        }                                                                                                              \
        return original(path, flags, mode);                                                                            \
    }

STAGE_OPEN(open)
STAGE_OPEN(open64)

#define STAGE_WRITE(name, parameters, first_half, rest)                                                                \
    ssize_t name parameters {                                                                                          \
        ORIGINAL(name, RTLD_NEXT, #name)                                                                               \
        ssize_t half = 0;                                                                                              \
        if (is_file(file)) {                                                                                           \
            stage(#name, NULL, file);                                                                                  \
            if (count > 1) {                                                                                           \
                half = original first_half;                                                                            \
                stage(#name, NULL, file);                                                                              \
            }                                                                                                          \
        }                                                                                                              \
        if (half < 0) {                                                                                                \
            return half;                                                                                               \
        }                                                                                                              \
        ssize_t written = original rest;                                                                               \
        return written < 0 ? written : half + written;                                                                 \
    }

STAGE_WRITE(write, (int file, const void *bytes, size_t count), (file, bytes, count / 2),
            (file, (const char *)bytes + half, count - (size_t)half))
STAGE_WRITE(pwrite, (int file, const void *bytes, size_t count, off_t at), (file, bytes, count / 2, at),
            (file, (const char *)bytes + half, count - (size_t)half, at + half))
STAGE_WRITE(pwrite64, (int file, const void *bytes, size_t count, off64_t at), (file, bytes, count / 2, at),
            (file, (const char *)bytes + half, count - (size_t)half, at + half))

/* Data that are written through a stream get into the file only when it is flushed or closed. */
STAGE_PATH(FILE *, fopen, (const char *path, const char *mode), (path, mode))
STAGE_PATH(FILE *, fopen64, (const char *path, const char *mode), (path, mode))
STAGE_STREAM(int, fflush, (FILE * stream), (stream))
STAGE_STREAM(int, fclose, (FILE * stream), (stream))

size_t fwrite(const void *bytes, size_t size, size_t count, FILE *stream) {
    ORIGINAL(fwrite, RTLD_NEXT, "fwrite")
    stage("fwrite", NULL, fileno(stream));
    if (atomic_load(&deadly) == 0 || count * size < 2) {
        return original(bytes, size, count, stream);
    }
    size_t half = count * size / 2;
    if (original(bytes, 1, half, stream) != half) {
        return 0;
    }
    fflush(stream);
    return original((const char *)bytes + half, 1, count * size - half, stream) == count * size - half ? count : 0;
}

STAGE_FILE(int, fsync, (int file), (file))
STAGE_FILE(int, fdatasync, (int file), (file))
STAGE_FILE(int, ftruncate, (int file, off_t bytes), (file, bytes))
STAGE_FILE(int, ftruncate64, (int file, off64_t bytes), (file, bytes))
STAGE_PATH(int, truncate, (const char *path, off_t bytes), (path, bytes))
STAGE_PATH(int, rename, (const char *path, const char *to), (path, to))
STAGE_PATH(int, renameat, (int from, const char *path, int to, const char *as), (from, path, to, as))
STAGE_PATH(int, link, (const char *path, const char *as), (path, as))
STAGE_PATH(int, unlink, (const char *path), (path))
STAGE_PATH(int, unlinkat, (int folder, const char *path, int flags), (folder, path, flags))
STAGE_PATH(int, remove, (const char *path), (path))
STAGE_PATH(int, mkdir, (const char *path, mode_t mode), (path, mode))
STAGE_PATH(int, rmdir, (const char *path), (path))

/* MPI, whose own names are one letter longer: a library that is loaded after this one has them. */

#define STAGE_MPI(name, parameters, arguments)                                                                         \
    STAGE_AT(int, name, parameters, arguments, RTLD_DEFAULT, "P" #name, NULL, NO_FILE)

STAGE_MPI(MPI_Send, (const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm),
          (buffer, count, type, to, tag, comm))
STAGE_MPI(MPI_Recv, (void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status),
          (buffer, count, type, from, tag, comm, status))
STAGE_MPI(MPI_Isend,
          (const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request),
          (buffer, count, type, to, tag, comm, request))
STAGE_MPI(MPI_Irecv,
          (void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request),
          (buffer, count, type, from, tag, comm, request))
STAGE_MPI(MPI_Sendrecv,
          (const void *out, int out_count, MPI_Datatype out_type, int to, int out_tag, void *in, int in_count,
           MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm, MPI_Status *status),
          (out, out_count, out_type, to, out_tag, in, in_count, in_type, from, in_tag, comm, status))
STAGE_MPI(MPI_Wait, (MPI_Request * request, MPI_Status *status), (request, status))
STAGE_MPI(MPI_Waitall, (int count, MPI_Request *requests, MPI_Status *statuses), (count, requests, statuses))
STAGE_MPI(MPI_Barrier, (MPI_Comm comm), (comm))
STAGE_MPI(MPI_Bcast, (void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm),
          (buffer, count, type, root, comm))
STAGE_MPI(MPI_Reduce, (const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm),
          (in, out, count, type, op, root, comm))
STAGE_MPI(MPI_Allreduce, (const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
          (in, out, count, type, op, comm))
STAGE_MPI(MPI_Iallreduce,
          (const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request *request),
          (in, out, count, type, op, comm, request))
STAGE_MPI(MPI_Scan, (const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
          (in, out, count, type, op, comm))
STAGE_MPI(MPI_Exscan, (const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
          (in, out, count, type, op, comm))
STAGE_MPI(MPI_Gather,
          (const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count, MPI_Datatype out_type,
           int root, MPI_Comm comm),
          (in, in_count, in_type, out, out_count, out_type, root, comm))
STAGE_MPI(MPI_Gatherv,
          (const void *in, int in_count, MPI_Datatype in_type, void *out, const int *counts, const int *places,
           MPI_Datatype out_type, int root, MPI_Comm comm),
          (in, in_count, in_type, out, counts, places, out_type, root, comm))
STAGE_MPI(MPI_Allgather,
          (const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count, MPI_Datatype out_type,
           MPI_Comm comm),
          (in, in_count, in_type, out, out_count, out_type, comm))
STAGE_MPI(MPI_Allgatherv,
          (const void *in, int in_count, MPI_Datatype in_type, void *out, const int *counts, const int *places,
           MPI_Datatype out_type, MPI_Comm comm),
          (in, in_count, in_type, out, counts, places, out_type, comm))
STAGE_MPI(MPI_Alltoall,
          (const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count, MPI_Datatype out_type,
           MPI_Comm comm),
          (in, in_count, in_type, out, out_count, out_type, comm))
STAGE_MPI(MPI_Comm_dup, (MPI_Comm comm, MPI_Comm *made), (comm, made))
STAGE_MPI(MPI_Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm *made), (comm, color, key, made))
STAGE_MPI(MPI_Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *made),
          (comm, type, key, info, made))
STAGE_MPI(MPI_Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm *made), (comm, group, made))
STAGE_MPI(MPI_Comm_free, (MPI_Comm * comm), (comm))
STAGE_MPI(MPI_Comm_accept, (const char *name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *made),
          (name, info, root, comm, made))
STAGE_MPI(MPI_Comm_connect, (const char *name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *made),
          (name, info, root, comm, made))
STAGE_MPI(MPI_Intercomm_create,
          (MPI_Comm local, int local_leader, MPI_Comm peer, int remote_leader, int tag, MPI_Comm *made),
          (local, local_leader, peer, remote_leader, tag, made))
STAGE_MPI(MPI_Intercomm_merge, (MPI_Comm comm, int high, MPI_Comm *made), (comm, high, made))
#ifdef OMPI_HAVE_MPI_EXT_FTMPI
STAGE_MPI(MPIX_Comm_agree, (MPI_Comm comm, int *flag), (comm, flag))
#endif

/* How two processes of different jobs find each other (src/new_processes.c): between two of these calls one of them waits. */

#ifdef KINTSUGI_HAVE_PMIX
#define STAGE_PMIX(name, parameters, arguments)                                                                        \
    STAGE_AT(pmix_status_t, name, parameters, arguments, RTLD_NEXT, #name, NULL, NO_FILE)

STAGE_PMIX(PMIx_Publish, (const pmix_info_t info[], size_t count), (info, count))
STAGE_PMIX(PMIx_Lookup_nb, (char **keys, const pmix_info_t info[], size_t count, pmix_lookup_cbfunc_t done, void *data),
           (keys, info, count, done, data))
STAGE_PMIX(PMIx_Get_nb,
           (const pmix_proc_t *process, const char key[], const pmix_info_t info[], size_t infos,
            pmix_value_cbfunc_t done, void *data),
           (process, key, info, infos, done, data))
#endif
