/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * Small files that are never half written: if the process ends at any time, a file has either its old or its new contents.
 */
#ifndef KINTSUGI_ATOMIC_FILE_H
#define KINTSUGI_ATOMIC_FILE_H

#include <stddef.h>
#include <sys/types.h>

/* As open, write and close. A file that replaces an older one is written beside it, and moved to
 * its place when it is closed. It is not moved if a write has failed. */
int atomic_file_open(const char *path, int flags, ...);
ssize_t atomic_file_write(int file, const void *bytes, size_t count);
int atomic_file_close(int file);

/* Announces that ER, SCR's component for redundancy, is about to rebuild a version (1), or to do something else (0). */
void atomic_file_rebuild(int begins);

#endif
