// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.calls;

import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.memory.Scratch;

/**
 * Gather and scatter. The root receives a part from each process, or sends one to each. They differ
 * in the direction only: the part of a process and the whole at the root exchange their roles.
 */
public enum RootedExchange {
  GATHER("MPI_Gather"),
  SCATTER("MPI_Scatter");

  private static final long NO_HINTS = MPI.MPI_INFO_NULL;

  /** The C function of the blocking form, for error messages. */
  public final String function;

  /** The C function for parts of different lengths. */
  public final String functionV;

  RootedExchange(String function) {
    this.function = function;
    functionV = function + "v";
  }

  // Conditionals, not switches: a switch over an enum would load a table class in the middle of a program's first collective.

  public int call(CallForm form, long from, long to, int count, long type, int wholeCount, long wholeType, int root, long comm) {
    if (this == GATHER) {
      return form == CallForm.BLOCKING ? MPI.MPI_Gather(from, count, type, to, wholeCount, wholeType, root, comm)
          : form == CallForm.NONBLOCKING
              ? MPI.MPI_Igather(from, count, type, to, wholeCount, wholeType, root, comm, Scratch.address())
              : MPI.MPI_Gather_init(from, count, type, to, wholeCount, wholeType, root, comm, NO_HINTS, Scratch.address());
    }
    return form == CallForm.BLOCKING ? MPI.MPI_Scatter(from, wholeCount, wholeType, to, count, type, root, comm)
        : form == CallForm.NONBLOCKING
            ? MPI.MPI_Iscatter(from, wholeCount, wholeType, to, count, type, root, comm, Scratch.address())
            : MPI.MPI_Scatter_init(from, wholeCount, wholeType, to, count, type, root, comm, NO_HINTS, Scratch.address());
  }

  /**
   * Calls MPI for parts of different lengths. C arrays have the number of elements of each part,
   * and its place in the whole.
   */
  public int callV(CallForm form, long from, long to, int count, long type, long counts, long places, long wholeType, int root,
      long comm) {
    if (this == GATHER) {
      return form == CallForm.BLOCKING ? MPI.MPI_Gatherv(from, count, type, to, counts, places, wholeType, root, comm)
          : form == CallForm.NONBLOCKING
              ? MPI.MPI_Igatherv(from, count, type, to, counts, places, wholeType, root, comm, Scratch.address())
              : MPI.MPI_Gatherv_init(from, count, type, to, counts, places, wholeType, root, comm, NO_HINTS, Scratch.address());
    }
    return form == CallForm.BLOCKING ? MPI.MPI_Scatterv(from, counts, places, wholeType, to, count, type, root, comm)
        : form == CallForm.NONBLOCKING
            ? MPI.MPI_Iscatterv(from, counts, places, wholeType, to, count, type, root, comm, Scratch.address())
            : MPI.MPI_Scatterv_init(from, counts, places, wholeType, to, count, type, root, comm, NO_HINTS, Scratch.address());
  }
}
