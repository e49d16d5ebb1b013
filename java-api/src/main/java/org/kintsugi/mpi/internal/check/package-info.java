// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/**
 * Under {@code --check}: reports a communicator's collectives to the launcher, which compares them, and counts its messages. Jobs
 * without it make no object of this package.
 */
package org.kintsugi.mpi.internal.check;
