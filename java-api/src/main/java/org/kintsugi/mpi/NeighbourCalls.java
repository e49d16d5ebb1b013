// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.mpi.internal.Refusal;

/** The collectives among neighbours on a grid, described as {@link CollectiveCalls} does the others. */
final class NeighbourCalls extends CollectiveForms {
  private final CartComm grid;

  NeighbourCalls(CartComm grid) {
    super(grid);
    this.grid = grid;
  }

  Request neighbourAllGather(Form form, Buf send, Buf receive) {
    long handle = comm.handle();
    int count = requireNeighbourParts(send, receive, grid.neighbours());
    return exchange(form, PartsExchange.NEIGHBOUR_ALL_GATHER, handle, send, count, receive, grid.neighbours(), null);
  }

  Request neighbourAllToAll(Form form, Buf send, Buf receive) {
    long handle = comm.handle();
    requireNeighbourParts(send, receive, 1);
    int count = requireWholeParts(send, grid.neighbours());
    return exchange(form, PartsExchange.NEIGHBOUR_ALL_TO_ALL, handle, send, count, receive, grid.neighbours(), null);
  }

  private int requireNeighbourParts(Buf send, Buf receive, int parts) {
    if (Buf.areSame(send, receive)) {
      throw Refusal.argument("send and receive are the same buffer: among neighbours nothing works in place");
    }
    return requireParts(send, receive, parts);
  }
}
