// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.memory;

import java.lang.ref.Cleaner;

/** The cleaner thread, which frees memory of unreachable objects. It never calls MPI. */
public final class Cleaners {
  public static final Cleaner CLEANER = Cleaner.create();

  private Cleaners() {}

  /** Frees a block once; holds no reference to its owner. */
  public static final class Free implements Runnable {
    private final long address;

    public Free(long address) {
      this.address = address;
    }

    @Override
    public void run() {
      Memory.free(address);
    }
  }
}
