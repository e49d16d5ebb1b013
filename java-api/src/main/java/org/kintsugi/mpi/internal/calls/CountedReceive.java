// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.calls;

/** A receive that has begun, and whose message is counted under {@code --check} when it has come. */
public interface CountedReceive {
  /** Counts the message that it has received, whose {@code MPI_Status} is at an address. */
  void countReceive(long status);

  void countReceive(int source, int tag);
}
