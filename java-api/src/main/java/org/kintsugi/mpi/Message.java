// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.lifetime.Leaks;
import org.kintsugi.mpi.internal.lifetime.Rejections;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.mpi.internal.memory.Scratch;

/** A message that a matched probe has reserved. It must be received once. {@code MPI_Message}. */
public final class Message {
  private final PointToPoint comm;
  private final Status status;
  private final long bytes;
  private final int source;
  private final int tag;
  private final Leaks.Watch watch;
  private long handle;

  Message(PointToPoint comm, long handle, Status status) {
    this.comm = comm;
    this.handle = handle;
    this.status = status;
    bytes = status.bytes(); // the program may use its status for something else
    source = status.source();
    tag = status.tag();
    watch = Leaks.watch(this, comm.scope(), Leaks.origin("a message that a probe has matched, and no call has received,"));
  }

  /**
   * The message's sender, tag and length.
   *
   * @return the status that the probe filled
   */
  public Status status() {
    return status;
  }

  /**
   * Receives it. Blocking. {@code MPI_Mrecv}.
   *
   * @param buf where the message goes; it must have room for all of it
   * @throws IllegalStateException if it has been received already
   * @throws TruncationException if the buffer is too short; the message is gone then
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void recv(Buf buf) {
    long type = CommHandle.type(CommHandle.require(buf, "buf"));
    int count = CommHandle.count(buf);
    comm.handle();
    requireLeft();
    if (VirtualThreads.isCurrent()) {
      iRecv(buf).waitFor();
      return;
    }
    CheckedMessages.Awaited awaited = CheckedComm.IS_ON ? CheckedMessages.await(comm, buf.datatype()) : null;
    long address = Transfer.stageForReceive(buf); // before the message is taken: if this fails, the message is not lost
    long message = take();
    int code = MPI.MPI_Mrecv(address, count, type, message, MPI.MPI_STATUS_IGNORE);
    comm.ended(code, "MPI_Mrecv", null, 0, buf, address, bytes);
    if (awaited != null) {
      awaited.countReceive(source, tag);
    }
  }

  /**
   * Starts to receive it. {@code MPI_Imrecv}.
   *
   * @param buf where the message goes; it must have room for all of it, and not to be touched
   *     before the request completes
   * @return the request
   * @throws IllegalStateException if it has been received already
   */
  public Request iRecv(Buf buf) {
    long type = CommHandle.type(CommHandle.require(buf, "buf"));
    int count = CommHandle.count(buf);
    comm.handle();
    requireLeft();
    Transfer transfer = Transfer.ofMessage(null, null, buf);
    CheckedMessages.Awaited awaited = CheckedComm.IS_ON ? CheckedMessages.await(comm, buf.datatype()) : null;
    long message = take();
    return comm.started(MPI.MPI_Imrecv(transfer.receiveAddress(), count, type, message, Scratch.address()),
        "MPI_Imrecv", transfer).awaits(awaited);
  }

  private void requireLeft() {
    if (handle == 0) {
      throw Rejections.state("message has been received already");
    }
  }

  /** The address of the handle, which MPI takes. It can be taken once. */
  private long take() {
    long place = Scratch.address() + Scratch.SECOND; // the request is written before it
    Memory.putLong(place, handle);
    handle = 0;
    Leaks.closed(watch);
    return place;
  }
}
