// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/**
 * What the calls of a communicator share: its state, the interfaces of its operations, and MPI's functions in their modes and
 * forms. The classes that work on buffers and requests implement these interfaces, next to the public classes.
 */
package org.kintsugi.mpi.internal.calls;
