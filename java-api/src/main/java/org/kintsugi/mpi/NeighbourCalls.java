// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import java.util.Arrays;
import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.calls.CallForm;
import org.kintsugi.mpi.internal.calls.GridOperations;
import org.kintsugi.mpi.internal.calls.PartsExchange;
import org.kintsugi.mpi.internal.lifetime.Rejections;
import org.kintsugi.mpi.internal.memory.Ints;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.mpi.internal.memory.Scratch;

/** The collectives among neighbours on a grid. {@link CollectiveCalls} has the others. */
final class NeighbourCalls extends CollectiveForms implements GridOperations {
  private final CartComm grid;

  NeighbourCalls(CartComm grid) {
    super(grid.state());
    this.grid = grid;
  }

  @Override
  public CartComm sub(boolean[] keep) {
    long handle = comm.handle();
    int[] dims = grid.dims();
    boolean[] periodic = grid.periodic();
    if (keep.length != dims.length) {
      throw Rejections.argument("keep has " + keep.length + " elements, the grid has " + dims.length);
    }
    int kept = 0;
    int[] flags = new int[keep.length];
    int[] subDims = new int[keep.length];
    boolean[] subPeriodic = new boolean[keep.length];
    for (int i = 0; i < keep.length; i++) {
      if (keep[i]) {
        flags[i] = 1;
        subDims[kept] = dims[i];
        subPeriodic[kept++] = periodic[i];
      }
    }
    REPORTS.call(comm, CallForm.BLOCKING, "MPI_Cart_sub", -1, null, 0, null);
    long array = Ints.allocate(flags);
    try {
      long scratch = Scratch.address();
      comm.check(MPI.MPI_Cart_sub(handle, array, scratch), "MPI_Cart_sub");
      CartComm made = new CartComm(Memory.getLong(scratch), comm.scope(), Arrays.copyOf(subDims, kept),
          Arrays.copyOf(subPeriodic, kept));
      comm.name(made.state());
      return made;
    } finally {
      Memory.free(array);
    }
  }

  @Override
  public Request neighbourAllGather(CallForm form, Buf send, Buf receive) {
    long handle = comm.handle();
    long count = requireNeighbourParts(send, receive, grid.neighbours());
    if (grid.neighbours() == 0) {
      return nothing(form, PartsExchange.NEIGHBOUR_ALL_GATHER);
    }
    return exchange(form, PartsExchange.NEIGHBOUR_ALL_GATHER, handle, send, count, receive, grid.neighbours(), null);
  }

  @Override
  public Request neighbourAllToAll(CallForm form, Buf send, Buf receive) {
    long handle = comm.handle();
    if (grid.neighbours() == 0) {
      requireNeighbourParts(send, receive, 0);
      return nothing(form, PartsExchange.NEIGHBOUR_ALL_TO_ALL);
    }
    requireNeighbourParts(send, receive, 1);
    long count = requireWholeParts(send, grid.neighbours());
    if (grid.hasDoubleNeighbours() && NeighbourOrder.isWrong(form, comm)) {
      return exchangeInOrder(form, handle, send, count, receive);
    }
    return exchange(form, PartsExchange.NEIGHBOUR_ALL_TO_ALL, handle, send, count, receive, grid.neighbours(), null);
  }

  /**
   * A collective on a grid without directions. Open MPI is not called: it divides by the number of
   * neighbours in some places.
   */
  private Request nothing(CallForm form, PartsExchange exchange) {
    REPORTS.call(comm, form, exchange.function, -1, null, 0, null);
    return form == CallForm.BLOCKING ? null
        : form == CallForm.NONBLOCKING ? new CompletedRequest(comm.scope(), null) : new DeferredRequest(comm.scope(), () -> {});
  }

  /**
   * Exchanges by MPI_Neighbor_alltoallw, with an explicit place for each received block: see
   * {@link NeighbourOrder}.
   */
  private Request exchangeInOrder(CallForm form, long handle, Buf send, long count, Buf receive) {
    long otherCount = countIn(receive, send, count);
    REPORTS.call(comm, form, PartsExchange.NEIGHBOUR_ALL_TO_ALL.function, -1, null, count, null);
    Transfer transfer = receiving(transfer(form, send, receive), otherCount * grid.neighbours());
    NeighbourOrder order = new NeighbourOrder(grid, transfer, send.datatype(), count, receive.datatype(), otherCount);
    return begun(form, order.exchange(form, transfer, handle), NeighbourOrder.FUNCTION, transfer);
  }

  @Override
  Transfer receiving(Transfer transfer, long elements) {
    return super.receiving(transfer, elements).without(grid.missingNeighbours());
  }

  private long requireNeighbourParts(Buf send, Buf receive, int parts) {
    if (Buf.areSame(send, receive) && send.hasData()) {
      throw Rejections.argument("send and receive are the same buffer: among neighbours nothing works in place");
    }
    return requireParts(send, receive, parts);
  }
}
