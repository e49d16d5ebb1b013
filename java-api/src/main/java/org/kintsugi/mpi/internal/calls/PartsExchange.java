// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.calls;

import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.memory.Scratch;

/**
 * The collectives in which every process sends and receives parts of one length. They differ in
 * MPI's functions only.
 */
public enum PartsExchange {
  ALL_GATHER("MPI_Allgather"),
  ALL_TO_ALL("MPI_Alltoall"),
  NEIGHBOUR_ALL_GATHER("MPI_Neighbor_allgather"),
  NEIGHBOUR_ALL_TO_ALL("MPI_Neighbor_alltoall");

  private static final long NO_HINTS = MPI.MPI_INFO_NULL;

  /** The C function of the blocking form, for error messages. */
  public final String function;

  PartsExchange(String function) {
    this.function = function;
  }

  // Conditionals, not switches: a switch over an enum would load a table class in the middle of a program's first collective.

  public int call(CallForm form, long from, int count, long type, long to, int otherCount, long otherType, long comm) {
    if (this == ALL_GATHER) {
      return form == CallForm.BLOCKING ? MPI.MPI_Allgather(from, count, type, to, otherCount, otherType, comm)
          : form == CallForm.NONBLOCKING
              ? MPI.MPI_Iallgather(from, count, type, to, otherCount, otherType, comm, Scratch.address())
              : MPI.MPI_Allgather_init(from, count, type, to, otherCount, otherType, comm, NO_HINTS, Scratch.address());
    }
    if (this == ALL_TO_ALL) {
      return form == CallForm.BLOCKING ? MPI.MPI_Alltoall(from, count, type, to, otherCount, otherType, comm)
          : form == CallForm.NONBLOCKING
              ? MPI.MPI_Ialltoall(from, count, type, to, otherCount, otherType, comm, Scratch.address())
              : MPI.MPI_Alltoall_init(from, count, type, to, otherCount, otherType, comm, NO_HINTS, Scratch.address());
    }
    if (this == NEIGHBOUR_ALL_GATHER) {
      return form == CallForm.BLOCKING ? MPI.MPI_Neighbor_allgather(from, count, type, to, otherCount, otherType, comm)
          : form == CallForm.NONBLOCKING
              ? MPI.MPI_Ineighbor_allgather(from, count, type, to, otherCount, otherType, comm, Scratch.address())
              : MPI.MPI_Neighbor_allgather_init(from, count, type, to, otherCount, otherType, comm, NO_HINTS, Scratch.address());
    }
    return form == CallForm.BLOCKING ? MPI.MPI_Neighbor_alltoall(from, count, type, to, otherCount, otherType, comm)
        : form == CallForm.NONBLOCKING
            ? MPI.MPI_Ineighbor_alltoall(from, count, type, to, otherCount, otherType, comm, Scratch.address())
            : MPI.MPI_Neighbor_alltoall_init(from, count, type, to, otherCount, otherType, comm, NO_HINTS, Scratch.address());
  }
}
