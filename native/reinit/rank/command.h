/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * The command line of a rank, read as the java launcher reads it: JAVA options... (Main | -jar FILE) arguments...
 */
#ifndef KINTSUGI_COMMAND_H
#define KINTSUGI_COMMAND_H

#include <stdint.h>

/* The class that a warm JVM runs until it is needed; Main and its arguments are its arguments. */
#define WARM_MAIN "org.kintsugi.reinit.WarmRank"

/* The number of warm JVMs in the command line; 0 also where it is of a kind that cannot be started warm. */
int command_spares(char **command);

/* The command line of a warm JVM, in new memory (except for the strings); NULL: no memory. */
char **command_warm(char **command);

/* Identifies a command line in this working directory. */
uint64_t command_hash(char **command);

#endif
