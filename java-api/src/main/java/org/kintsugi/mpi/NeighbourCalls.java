// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import static org.kintsugi.mpi.CommHandle.count;

import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.Scratch;

/** The collectives among neighbours on a grid, described as {@link CollectiveCalls} does the others. */
final class NeighbourCalls extends CollectiveForms {
  private final CartComm grid;

  NeighbourCalls(CartComm grid) {
    super(grid);
    this.grid = grid;
  }

  Request neighbourAllGather(Form form, Buf send, Buf receive) {
    long handle = comm.handle();
    int part = requireNeighbourParts(send, receive, grid.neighbours());
    long type = send.datatype().handle();
    int otherCount = count(countIn(receive, send, part));
    long otherType = receive.datatype().handle();
    compare(form, "MPI_Neighbor_allgather");
    Transfer transfer = transfer(form, send, receive);
    long from = transfer.sendAddress();
    long to = transfer.receiveAddress();
    int code = form == Form.BLOCKING ? MPI.MPI_Neighbor_allgather(from, part, type, to, otherCount, otherType, handle)
        : form == Form.NONBLOCKING
            ? MPI.MPI_Ineighbor_allgather(from, part, type, to, otherCount, otherType, handle, Scratch.address())
            : MPI.MPI_Neighbor_allgather_init(from, part, type, to, otherCount, otherType, handle, NO_HINTS, Scratch.address());
    return begun(form, code, "MPI_Neighbor_allgather", transfer);
  }

  Request neighbourAllToAll(Form form, Buf send, Buf receive) {
    long handle = comm.handle();
    requireNeighbourParts(send, receive, 1);
    int part = requireWholeParts(send, grid.neighbours());
    long type = send.datatype().handle();
    int otherCount = count(countIn(receive, send, part));
    long otherType = receive.datatype().handle();
    compare(form, "MPI_Neighbor_alltoall");
    Transfer transfer = transfer(form, send, receive);
    long from = transfer.sendAddress();
    long to = transfer.receiveAddress();
    int code = form == Form.BLOCKING ? MPI.MPI_Neighbor_alltoall(from, part, type, to, otherCount, otherType, handle)
        : form == Form.NONBLOCKING
            ? MPI.MPI_Ineighbor_alltoall(from, part, type, to, otherCount, otherType, handle, Scratch.address())
            : MPI.MPI_Neighbor_alltoall_init(from, part, type, to, otherCount, otherType, handle, NO_HINTS, Scratch.address());
    return begun(form, code, "MPI_Neighbor_alltoall", transfer);
  }

  private int requireNeighbourParts(Buf send, Buf receive, int parts) {
    if (Buf.areSame(send, receive)) {
      throw new IllegalArgumentException("send and receive are the same buffer: among neighbours nothing works in place");
    }
    return requireParts(send, receive, parts);
  }
}
