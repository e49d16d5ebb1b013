// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.calls;

import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.memory.Scratch;

/** The reductions in which every process gets a result. They differ in MPI's functions only. */
public enum Reduction {
  ALL_REDUCE("MPI_Allreduce"),
  SCAN("MPI_Scan"),
  EX_SCAN("MPI_Exscan"),
  SCATTER_BLOCK("MPI_Reduce_scatter_block");

  private static final long NO_HINTS = MPI.MPI_INFO_NULL;

  /** The C function of the blocking form, for error messages. */
  public final String function;

  Reduction(String function) {
    this.function = function;
  }

  /**
   * Whether it is a scan. Scans are not defined between two groups.
   */
  public boolean isPrefix() {
    return this == SCAN || this == EX_SCAN;
  }

  // Conditionals, not switches: a switch over an enum would load a table class in the middle of a program's first collective.

  public int call(CallForm form, long from, long to, int count, long type, long operation, long comm) {
    if (this == ALL_REDUCE) {
      return form == CallForm.BLOCKING ? MPI.MPI_Allreduce(from, to, count, type, operation, comm)
          : form == CallForm.NONBLOCKING ? MPI.MPI_Iallreduce(from, to, count, type, operation, comm, Scratch.address())
              : MPI.MPI_Allreduce_init(from, to, count, type, operation, comm, NO_HINTS, Scratch.address());
    }
    if (this == SCAN) {
      return form == CallForm.BLOCKING ? MPI.MPI_Scan(from, to, count, type, operation, comm)
          : form == CallForm.NONBLOCKING ? MPI.MPI_Iscan(from, to, count, type, operation, comm, Scratch.address())
              : MPI.MPI_Scan_init(from, to, count, type, operation, comm, NO_HINTS, Scratch.address());
    }
    if (this == EX_SCAN) {
      return form == CallForm.BLOCKING ? MPI.MPI_Exscan(from, to, count, type, operation, comm)
          : form == CallForm.NONBLOCKING ? MPI.MPI_Iexscan(from, to, count, type, operation, comm, Scratch.address())
              : MPI.MPI_Exscan_init(from, to, count, type, operation, comm, NO_HINTS, Scratch.address());
    }
    return form == CallForm.BLOCKING ? MPI.MPI_Reduce_scatter_block(from, to, count, type, operation, comm)
        : form == CallForm.NONBLOCKING ? MPI.MPI_Ireduce_scatter_block(from, to, count, type, operation, comm, Scratch.address())
            : MPI.MPI_Reduce_scatter_block_init(from, to, count, type, operation, comm, NO_HINTS,
                Scratch.address());
  }
}
