// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/** The beginning of MPI in a process: the library that is loaded, a limit for {@code MPI_Init}, and what MPI says about the job. */
package org.kintsugi.mpi.internal.startup;
