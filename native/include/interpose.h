/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * Puts other addresses in the place of symbols that loaded libraries refer to: a library that calls `close`, for instance,
 * calls a function of ours instead. Only the named libraries are changed, and each in its own table of addresses; the rest of
 * the process is not. For one thread at a time; a change is for good, until the library is unloaded.
 */
#ifndef KINTSUGI_INTERPOSE_H
#define KINTSUGI_INTERPOSE_H

#include <stddef.h>

#define MAX_OBJECTS 1024

/* Libraries, by the paths that the loader has of them. The strings are freed by forget_objects. */
struct objects {
    int count;
    char *names[MAX_OBJECTS];
};

/* A symbol, and the address that libraries get for it from now on. */
struct replacement {
    const char *symbol;
    void *address;
};

/* Opens a library and all that it needs, with local visibility, and lists those that were not in the process before: the
 * caller frees the list by forget_objects. NULL if dlopen fails: dlerror has the reason, and the list is empty. */
void *open_library(const char *path, struct objects *brought);

/* From now on the objects use these addresses for these names. The list and the names may be freed afterwards. 0, also if
 * an object has no such symbol or is not loaded any more, or an errno value: then some may have been changed. */
int interpose(const struct objects *objects, const struct replacement *replacements, size_t count);

/* Does that for one loaded library, by the name of its file, without a folder. ENOENT if none has this name. */
int interpose_in(const char *file, const struct replacement *replacements, size_t count);

/* Returns the path of the first object that is still loaded, which belongs to the list; NULL if none is. */
const char *still_loaded(const struct objects *objects);

/* Frees the paths of a list, and empties it. Does not unload anything. */
void forget_objects(struct objects *objects);

#endif
