// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/**
 * Objects that are put before those that carry out a communicator's calls: for virtual threads, which poll or let a platform
 * thread make the call, and for persistent communicators, whose messages and contributions are stored. Other jobs make none.
 */
package org.kintsugi.mpi.internal.variants;
