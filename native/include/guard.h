/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * The place for a guard between the generated bindings, which include it right after mpi.h, and MPI. The ulfm flavour needs
 * no guard, as MPI returns an error code after a failure, so this file is empty. The reinit flavour has reinit/include/guard.h
 * in its place, which defines each function as a macro of the same name around itself, and no line of Java differs.
 */
#ifndef KINTSUGI_GUARD_H
#define KINTSUGI_GUARD_H
#endif
