// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import static org.kintsugi.mpi.CollectiveForms.NO_HINTS;

import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.calls.CallForm;
import org.kintsugi.mpi.internal.calls.PartsExchange;
import org.kintsugi.mpi.internal.memory.Ints;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.mpi.internal.memory.Scratch;

/**
 * The places of blocks where both neighbours of a direction are one process.
 *
 * <p>By MPI 4.1, section 8.6, the block that is sent downwards is received as the one from above.
 * Open MPI (nonblocking and persistent forms up to 5.0.10 and 6.0.0, open-mpi/ompi#14430; the
 * blocking one in early releases of 4.0) sends and receives the blocks of a direction in the same
 * order and with the same tag: if both go to one process, it receives the first block in the first
 * place, which is wrong. Messages between two processes keep their order, so it is enough to
 * exchange the places of those two received blocks, and no other process needs to know. Each form
 * is tested once for this fault, with a single process that is its own two neighbours.
 */
final class NeighbourOrder {
  /** The C function of the blocking form, for error messages. */
  static final String FUNCTION = "MPI_Neighbor_alltoallw";

  private static volatile Boolean blocking; // whether it is wrong; null: not tested yet
  private static volatile Boolean nonblocking;
  private static volatile Boolean persistent;

  private final long counts;
  private final long displacements;
  private final long types;
  private final long otherCounts;
  private final long otherDisplacements;
  private final long otherTypes;

  /** Makes the C arrays of an exchange, which belong to the transfer. */
  NeighbourOrder(CartComm grid, Transfer transfer, Datatype sent, long count, Datatype received, long otherCount) {
    int n = grid.neighbours();
    displacements = transfer.owning(Memory.allocate(n * (4L * Long.BYTES + 2L * Integer.BYTES)));
    types = displacements + (long) Long.BYTES * n;
    otherDisplacements = types + (long) Long.BYTES * n;
    otherTypes = otherDisplacements + (long) Long.BYTES * n;
    counts = otherTypes + (long) Long.BYTES * n;
    otherCounts = counts + (long) Integer.BYTES * n;
    for (int i = 0; i < n; i++) {
      int place = grid.isDouble(i / 2) ? i ^ 1 : i;
      Memory.putLong(displacements + (long) Long.BYTES * i, i * count * sent.size());
      Memory.putLong(types + (long) Long.BYTES * i, LargeCounts.type(sent, count));
      Memory.putLong(otherDisplacements + (long) Long.BYTES * i, place * otherCount * received.size());
      Memory.putLong(otherTypes + (long) Long.BYTES * i, LargeCounts.type(received, otherCount));
      Memory.putInt(counts + (long) Integer.BYTES * i, LargeCounts.count(sent, count));
      Memory.putInt(otherCounts + (long) Integer.BYTES * i, LargeCounts.count(received, otherCount));
    }
  }

  int exchange(CallForm form, Transfer transfer, long comm) {
    long from = transfer.sendAddress();
    long to = transfer.receiveAddress();
    return form == CallForm.BLOCKING
        ? MPI.MPI_Neighbor_alltoallw(from, counts, displacements, types, to, otherCounts, otherDisplacements, otherTypes, comm)
        : form == CallForm.NONBLOCKING
            ? MPI.MPI_Ineighbor_alltoallw(from, counts, displacements, types, to, otherCounts, otherDisplacements, otherTypes,
                comm,
                Scratch.address())
            : MPI.MPI_Neighbor_alltoallw_init(from, counts, displacements, types, to, otherCounts, otherDisplacements, otherTypes,
                comm, NO_HINTS, Scratch.address());
  }

  /**
   * Whether this MPI's exchanges of a form have the wrong order. Local.
   *
   * @param asked the communicator that reports an error of MPI
   */
  static boolean isWrong(CallForm form, CommHandle asked) {
    Boolean known = known(form);
    return known != null ? known : find(form, asked);
  }

  private static Boolean known(CallForm form) {
    return form == CallForm.BLOCKING ? blocking : form == CallForm.NONBLOCKING ? nonblocking : persistent;
  }

  private static synchronized boolean find(CallForm form, CommHandle asked) {
    Boolean known = known(form);
    if (known != null) {
      return known;
    }
    boolean wrong = tryOut(form, asked);
    if (form == CallForm.BLOCKING) {
      blocking = wrong;
    } else if (form == CallForm.NONBLOCKING) {
      nonblocking = wrong;
    } else {
      persistent = wrong;
    }
    return wrong;
  }

  /** Exchanges two ints with itself on a ring of one process. */
  private static boolean tryOut(CallForm form, CommHandle asked) {
    long block = Ints.allocate(new int[] {1}, new int[] {1}, new int[] {1, 2}, new int[] {0, 0});
    long scratch = Scratch.address();
    try {
      long sent = block + 2L * Integer.BYTES;
      long received = sent + 2L * Integer.BYTES;
      asked.check(MPI.MPI_Cart_create(MPI.MPI_COMM_SELF, 1, block, block + Integer.BYTES, 0, scratch), "MPI_Cart_create");
      long ring = Memory.getLong(scratch);
      exchange(form, asked, sent, received, ring);
      Memory.putLong(scratch, ring);
      asked.check(MPI.MPI_Comm_free(scratch), "MPI_Comm_free");
      return Memory.getInt(received) == 1;
    } finally {
      Memory.free(block);
    }
  }

  private static void exchange(CallForm form, CommHandle asked, long sent, long received, long ring) {
    PartsExchange exchange = PartsExchange.NEIGHBOUR_ALL_TO_ALL;
    long type = Datatype.INT.handle();
    asked.check(exchange.call(form, sent, 1, type, received, 1, type, ring), form.nameOf(exchange.function));
    long request = Scratch.address();
    if (form == CallForm.PERSISTENT) {
      asked.check(MPI.MPI_Start(request), "MPI_Start");
    }
    if (form != CallForm.BLOCKING) {
      asked.check(MPI.MPI_Wait(request, MPI.MPI_STATUS_IGNORE), "MPI_Wait");
    }
    if (form == CallForm.PERSISTENT) {
      asked.check(MPI.MPI_Request_free(request), "MPI_Request_free");
    }
  }
}
