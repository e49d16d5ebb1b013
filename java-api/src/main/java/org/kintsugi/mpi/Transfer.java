// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.Memory;
import org.kintsugi.mpi.internal.Reductions;
import org.kintsugi.mpi.internal.Staging;

/**
 * The memory side of one operation in the background: which buffers MPI may touch, where staged arrays lie meanwhile, and
 * which count arrays must outlive the call.
 */
final class Transfer {
  private final Buf send;
  private final Buf receive;
  private long sendAddress;
  private long receiveAddress;
  private long arrays; // C arrays of counts and the like, freed at the end

  /** Either buffer may be null; where both are the same one, MPI works in place. */
  Transfer(Buf send, Buf receive) {
    boolean inPlace = send != null && send == receive;
    this.send = inPlace ? null : send;
    this.receive = receive;
    if (inPlace) {
      sendAddress = MPI.MPI_IN_PLACE;
    } else if (send != null) {
      sendAddress = stageIn(send);
    }
    if (receive != null) {
      receiveAddress = stageIn(receive);
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

  void complete(boolean success, boolean again) {
    if (success && receive != null && receive.isArray()) {
      receive.copyFrom(receiveAddress);
    }
    if (!again) {
      release();
    }
  }

  /** Gives staging blocks back; the buffers themselves are the program's. */
  void release() {
    if (send != null) {
      stageOut(send, sendAddress, false);
      sendAddress = 0;
    }
    if (receive != null) {
      stageOut(receive, receiveAddress, false);
      receiveAddress = 0;
    }
    if (arrays != 0) {
      Memory.free(arrays);
      arrays = 0;
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

  /** Rethrows what a user-defined reduction threw during the last collective of this thread. */
  static void rethrow() {
    Throwable thrown = Reductions.takeThrown();
    if (thrown instanceof RuntimeException) {
      throw (RuntimeException) thrown;
    }
    if (thrown instanceof Error) {
      throw (Error) thrown;
    }
  }
}
