// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.calls;

/** The offsets in bytes of the three fields of an {@code MPI_Status} that MPI makes public; all are ints. */
public final class StatusFields {
  public static final int SOURCE = 0;
  public static final int TAG = 4;
  public static final int ERROR = 8;

  private StatusFields() {}
}
