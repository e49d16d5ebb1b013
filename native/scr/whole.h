/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * Files that are there as they were, or as they are to be, whenever the process dies.
 */
#ifndef KINTSUGI_WHOLE_H
#define KINTSUGI_WHOLE_H

#include <stddef.h>
#include <sys/types.h>

/* As open, write and close. A file that is opened to be written anew over an older one is written beside it, and takes
 * its place when it is closed; but not if something of it could not be written. */
int whole_open(const char *path, int flags, ...);
ssize_t whole_write(int file, const void *bytes, size_t count);
int whole_close(int file);

/* The next that ER does is to rebuild a version, or something else. */
void whole_rebuild(int begins);

#endif
