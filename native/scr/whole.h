/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * Files that are there as they were, or as they are to be, whenever the process dies.
 */
#ifndef KINTSUGI_WHOLE_H
#define KINTSUGI_WHOLE_H

/* As open and close. A file that is opened to be written anew over an older one is written beside it, and takes its
 * place when it is closed. */
int whole_open(const char *path, int flags, ...);
int whole_close(int file);

#endif
