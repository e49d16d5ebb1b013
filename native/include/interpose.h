/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * Puts other addresses in the place of symbols that loaded libraries refer to.
 */
#ifndef KINTSUGI_INTERPOSE_H
#define KINTSUGI_INTERPOSE_H

#include <stddef.h>

#define MAX_OBJECTS 1024

/* The libraries that a dlopen has brought into the process. */
struct objects {
    int count;
    char *names[MAX_OBJECTS];
};

struct replacement {
    const char *symbol;
    void *address;
};

/* Opens a library and all that it needs, with local visibility, and lists the new objects; NULL
 * as dlopen. */
void *open_library(const char *path, struct objects *brought);

/* From now on the objects use these addresses for these names. 0, or an errno value. */
int interpose(const struct objects *objects, const struct replacement *replacements, size_t count);

/* The same for a loaded library, by the name of its file; ENOENT if none has this name. */
int interpose_in(const char *file, const struct replacement *replacements, size_t count);

/* The first object that is still loaded; NULL if none is. */
const char *still_loaded(const struct objects *objects);

void forget_objects(struct objects *objects);

#endif
