// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.access;

import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.internal.CommsKey;

/** Gives Kintsugi's other packages access to non-public operations on communicators and buffers. */
public final class Comms {
  private Comms() {}

  /** The key, which is the same for all callers from the start of MPI on. */
  @SuppressWarnings("unchecked") // mpi provides one, of these types
  public static CommsKey<Comm, Buf> get() {
    return (CommsKey<Comm, Buf>) CommsKey.get();
  }
}
