// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/** Which threads may call MPI, and how a virtual thread waits for MPI without keeping its carrier. */
package org.kintsugi.mpi.internal.threads;
