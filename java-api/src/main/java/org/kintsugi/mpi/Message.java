// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.Memory;
import org.kintsugi.mpi.internal.Scratch;

/** A message that a matched probe has set aside: to be received once. {@code MPI_Message}. */
public final class Message {
  private final PointToPoint comm;
  private final Status status;
  private long handle;

  Message(PointToPoint comm, long handle, Status status) {
    this.comm = comm;
    this.handle = handle;
    this.status = status;
  }

  /** Who sent it, its tag and its length. */
  public Status status() {
    return status;
  }

  /** Receives it. Blocking. {@code MPI_Mrecv}. @throws IllegalStateException if it has been received already */
  public void recv(Buf buf) {
    long type = CommHandle.require(buf, "buf").datatype().handle();
    long scratch = take();
    long address = Transfer.stageIn(buf);
    boolean received = false;
    try {
      comm.check(MPI.MPI_Mrecv(address, CommHandle.count(buf), type, scratch, MPI.MPI_STATUS_IGNORE), "MPI_Mrecv");
      received = true;
    } finally {
      Transfer.stageOut(buf, address, received);
    }
  }

  /** Starts to receive it. {@code MPI_Imrecv}. @throws IllegalStateException if it has been received already */
  public Request iRecv(Buf buf) {
    long type = CommHandle.require(buf, "buf").datatype().handle();
    long scratch = take();
    Transfer transfer = new Transfer(null, buf);
    comm.started(MPI.MPI_Imrecv(transfer.receiveAddress(), CommHandle.count(buf), type, scratch, scratch + 8),
        "MPI_Imrecv", transfer);
    return new Request(comm.scope(), Memory.getLong(scratch + 8), transfer, true);
  }

  private long take() {
    comm.handle();
    if (handle == 0) {
      throw new IllegalStateException("message has been received already");
    }
    long scratch = Scratch.address();
    Memory.putLong(scratch, handle);
    handle = 0;
    return scratch;
  }
}
