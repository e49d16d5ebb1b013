/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * Where a flavour's calls can be sent through C before they reach MPI: included by the generated bindings right behind
 * mpi.h. The ulfm flavour needs no guard (a failure comes back as an error code), so here is nothing to see; a flavour
 * that needs one defines each function as a macro of the same name around itself, and no line of Java changes.
 */
#ifndef KINTSUGI_GUARD_H
#define KINTSUGI_GUARD_H
#endif
