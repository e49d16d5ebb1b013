/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * For tests: preloaded into ranks, it loads a library that has nothing to do with libscr whenever that is loaded, as other
 * threads of a JVM do by chance (src/interpose.c). KINTSUGI_BYSTANDER names it.
 */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

void *dlopen(const char *path, int mode) {
    void *(*original)(const char *, int) = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
    void *library = original(path, mode);
    if (library != NULL && path != NULL && strstr(path, "/libscr.so") != NULL && (mode & RTLD_NOLOAD) == 0) {
        const char *other = getenv("KINTSUGI_BYSTANDER");
        if (other != NULL && original(other, RTLD_NOW) == NULL) {
            abort();
        }
    }
    return library;
}
