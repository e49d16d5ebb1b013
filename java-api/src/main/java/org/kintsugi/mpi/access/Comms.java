// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.access;

import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.internal.CommsKey;

/** The key to what communicators and buffers have for other packages only. */
public final class Comms {
  private Comms() {}

  /** The same for all callers, from the start of MPI on. */
  @SuppressWarnings("unchecked") // mpi provides one, of these types
  public static CommsKey<Comm, Buf> get() {
    return (CommsKey<Comm, Buf>) CommsKey.get();
  }
}
