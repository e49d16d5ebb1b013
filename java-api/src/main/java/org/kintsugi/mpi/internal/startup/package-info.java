// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/**
 * The beginning of MPI in a process: which library is loaded, and a limit for {@code MPI_Init}. The attributes of the job that
 * MPI knows are read here once.
 */
package org.kintsugi.mpi.internal.startup;
