// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.Memory;
import org.kintsugi.mpi.internal.Staging;

/**
 * The memory side of one operation in the background: which buffers MPI may touch, where staged arrays lie meanwhile, which
 * count arrays must outlive the call, and which operation written in Java MPI will call. All of it stays until the end, whatever
 * the program closes meanwhile.
 */
final class Transfer {
  private final Buf send;
  private final Buf receive;
  private long sendAddress;
  private long receiveAddress;
  private long arrays; // C arrays of counts and the like, freed at the end
  private Op op;
  private boolean released;

  /** Either buffer may be null; where both are the same one, MPI works in place. */
  Transfer(Buf send, Buf receive) {
    boolean inPlace = send != null && send == receive;
    this.send = inPlace || send == null ? null : send.requireOpen("send");
    this.receive = receive == null ? null : receive.requireOpen("receive");
    if (inPlace) {
      sendAddress = MPI.MPI_IN_PLACE;
    } else if (send != null) {
      sendAddress = stageIn(send.pin());
    }
    if (receive != null) {
      receiveAddress = stageIn(receive.pin());
    }
  }

  /** For a scatter, where it is the root's own part that stays in place. */
  static Transfer scatter(Buf send, Buf receive) {
    boolean inPlace = send != null && send == receive;
    Transfer transfer = new Transfer(send, inPlace ? null : receive);
    if (inPlace) {
      transfer.receiveAddress = MPI.MPI_IN_PLACE;
    }
    return transfer;
  }

  /** Hands over a block that is freed at the end. @return the block */
  long owning(long block) {
    arrays = block;
    return block;
  }

  /** MPI calls this operation until the end. @return this */
  Transfer using(Op called) {
    op = called.retain();
    return this;
  }

  long sendAddress() {
    return sendAddress;
  }

  long receiveAddress() {
    return receiveAddress;
  }

  /** Before a persistent request starts once more: what the arrays hold now, what is not received into included. */
  void refill() {
    if (send != null && send.isArray()) {
      send.copyTo(sendAddress);
    }
    if (receive != null && receive.isArray()) {
      receive.copyTo(receiveAddress);
    }
  }

  /** @return what an operation written in Java threw meanwhile; null: nothing, or it did not matter any more */
  Throwable complete(boolean success, boolean again) {
    Throwable thrown = op == null ? null : op.takeThrown();
    if (success && receive != null && receive.isArray()) {
      receive.copyFrom(receiveAddress);
    }
    if (!again) {
      release();
    }
    return success ? thrown : null;
  }

  /** Gives staging blocks back, and the buffers to the program, which may have closed them. Idempotent. */
  void release() {
    if (released) {
      return;
    }
    released = true;
    if (send != null) {
      stageOut(send, sendAddress, false);
      send.unpin();
    }
    if (receive != null) {
      stageOut(receive, receiveAddress, false);
      receive.unpin();
    }
    if (arrays != 0) {
      Memory.free(arrays);
    }
    if (op != null) {
      op.release();
    }
  }

  /** The address to hand to MPI: the buffer's own, or a staging block with the array's contents. */
  static long stageIn(Buf buf) {
    if (!buf.isArray()) {
      return buf.address();
    }
    long block = Staging.acquire(buf.bytes());
    buf.copyTo(block);
    return block;
  }

  /** The counterpart of {@link #stageIn}. */
  static void stageOut(Buf buf, long address, boolean copyBack) {
    if (buf.isArray() && address != 0) {
      if (copyBack) {
        buf.copyFrom(address);
      }
      Staging.release(address, buf.bytes());
    }
  }
}
