// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.ranks;

import static org.assertj.core.api.Assertions.assertThat;

import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.ThreadLevel;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.test.RankJob;

/** Runs in the ranks: reports whether a thread that waits in MPI yields. Kintsugi sets this unless the user has. */
public final class Yields {
  private Yields() {}

  public static void main(String[] args) {
    try (Mpi mpi = Mpi.init(ThreadLevel.MULTIPLE, args)) {
      RankJob.report(args[0], "rank-" + mpi.world().rank(), String.valueOf(yields()));
    }
  }

  /** The value of MPI's parameter mpi_yield_when_idle. */
  public static boolean yields() {
    long memory = Memory.allocate(3 * Long.BYTES);
    long name = Memory.allocateString("mpi_yield_when_idle");
    try {
      assertThat(MPI.MPI_T_init_thread(0, memory)).isZero();
      assertThat(MPI.MPI_T_cvar_get_index(name, memory)).isZero();
      int index = Memory.getInt(memory);
      assertThat(MPI.MPI_T_cvar_handle_alloc(index, 0, memory + Long.BYTES, memory)).isZero();
      Memory.putLong(memory + 2 * Long.BYTES, 0);
      assertThat(MPI.MPI_T_cvar_read(Memory.getLong(memory + Long.BYTES), memory + 2 * Long.BYTES)).isZero();
      return Memory.getLong(memory + 2 * Long.BYTES) != 0;
    } finally {
      Memory.free(name);
      Memory.free(memory);
    }
  }
}
