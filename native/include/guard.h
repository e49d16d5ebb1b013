/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * The place for a guard between the generated bindings, which include it right after mpi.h, and
 * MPI. The ulfm flavour needs no guard (a failure comes back as an error code), so this file is
 * empty. A flavour that needs one defines each function as a macro of the same name around itself,
 * and no line of Java changes.
 */
#ifndef KINTSUGI_GUARD_H
#define KINTSUGI_GUARD_H
#endif
