// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/**
 * Objects that are put before those that carry out a communicator's calls. In jobs where virtual threads may call MPI, they poll, or
 * let a platform thread make the call.
 */
package org.kintsugi.mpi.internal.variants;
