// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.Memory;
import org.kintsugi.mpi.internal.Staging;

/**
 * The memory of one operation: the buffers that MPI may touch, the staging blocks of arrays, the count arrays that must outlive
 * the call, and the operation written in Java that MPI will call. All of it stays until the end, whatever the program closes
 * meanwhile, on whatever thread.
 */
final class Transfer {
  /** A thread's own, for its blocking calls. */
  private static final ThreadLocal<Transfer> OWN = new ThreadLocal<>();

  private Buf send;
  private Buf receive;
  private boolean inPart; // the message's length shows, after the receive, which bytes are new
  private long sendAddress;
  private long receiveAddress;
  private long arrays; // C arrays of counts and the like, freed at the end
  private Op op;
  private MarkedElements.Operands operands; // of an operation written in Java; null: none
  private int throwCount; // of the operation, when it began
  private boolean released = true;

  private Transfer() {}

  /** Either buffer may be null; where both are the same memory, MPI works in place. */
  Transfer(Buf send, Buf receive) {
    begin(send, receive);
  }

  private Transfer(Buf send, long sendAddress, Buf receive, long receiveAddress) {
    hold(send, sendAddress, receive, receiveAddress);
  }

  /** As the constructor, for a call that has ended when it returns, without taking Java heap in a steady loop. */
  static Transfer ofBlocking(Buf send, Buf receive) {
    Transfer own = OWN.get();
    if (own == null) {
      own = new Transfer();
      OWN.set(own);
    }
    // a call that a rollback has interrupted keeps it
    return own.released ? own.begin(send, receive) : new Transfer(send, receive);
  }

  /**
   * A transfer for one message.
   *
   * @param spent a transfer to use again, which has been released, or null: a new one is made
   */
  static Transfer ofMessage(Transfer spent, Buf send, Buf receive) {
    Transfer transfer = spent == null ? new Transfer() : spent;
    if (send != null) {
      return transfer.begin(send, null);
    }
    transfer.hold(null, 0, receive, stageForReceive(receive));
    transfer.inPart = isStagedInPart(receive);
    return transfer;
  }

  private Transfer begin(Buf toSend, Buf toReceive) {
    boolean inPlace = Buf.areSame(toSend, toReceive);
    Buf out = inPlace ? null : toSend;
    long from = inPlace ? MPI.MPI_IN_PLACE : out == null ? 0 : stageIn(out);
    hold(out, from, toReceive, toReceive == null ? 0 : stageInBehind(toReceive, out, from));
    return this;
  }

  private void hold(Buf out, long from, Buf in, long to) {
    send = out;
    sendAddress = from;
    receive = in;
    receiveAddress = to;
    inPart = false;
    arrays = 0;
    op = null;
    operands = null;
    released = false;
  }

  /** For a scatter, where the root's own part stays in place. */
  static Transfer scatter(boolean isBlocking, Buf send, Buf receive) {
    boolean inPlace = Buf.areSame(send, receive);
    Buf part = inPlace ? null : receive;
    Transfer transfer = isBlocking ? ofBlocking(send, part) : new Transfer(send, part);
    if (inPlace) {
      transfer.receiveAddress = MPI.MPI_IN_PLACE;
    }
    return transfer;
  }

  /** Takes over what {@link #stageIn} has pinned and copied for a blocking call. */
  static Transfer of(Buf send, long sendAddress, Buf receive, long receiveAddress) {
    return new Transfer(send, sendAddress, receive, receiveAddress);
  }

  /** Hands over a block that is freed at the end. @return the block */
  long owning(long block) {
    arrays = block;
    return block;
  }

  /** MPI calls this operation until the end. @return this */
  Transfer using(Op called) {
    op = called.retain();
    throwCount = op.throwCount();
    return this;
  }

  /** The same for one written in Java, which works on these in place of the program's buffers. @return this */
  Transfer using(Op called, MarkedElements.Operands marked) {
    operands = marked;
    return using(called);
  }

  long sendAddress() {
    return sendAddress;
  }

  long receiveAddress() {
    return receiveAddress;
  }

  /**
   * Before a persistent request starts once more: copies the arrays' present contents in, also those of receiving arrays, of
   * which a message may replace only a part.
   */
  void refill() {
    if (send != null && send.isArray()) {
      send.copyTo(sendAddress);
    }
    if (receive != null && receive.isArray() && !inPart) {
      receive.copyTo(receiveAddress);
    }
    if (operands != null) {
      operands.write();
    }
    if (op != null) {
      throwCount = op.throwCount();
    }
  }

  /**
   * At an operation's end.
   *
   * @param again whether it can be started once more, as a persistent one can
   * @param status the address of its {@code MPI_Status}, for one message
   * @return the exception of an operation written in Java; null: none, or it does not matter any more
   */
  Throwable complete(boolean success, boolean again, long status) {
    Throwable thrown = op == null ? null : op.thrownSince(throwCount);
    if (success && receive != null && receive.isArray()) {
      receive.copyFrom(receiveAddress, inPart ? Status.bytes(status) : receive.bytes());
    }
    if (success && operands != null) {
      RuntimeException elsewhere = operands.read();
      thrown = thrown == null ? elsewhere : thrown;
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
      stageOut(send, sendAddress, 0);
    }
    if (receive != null) {
      stageOut(receive, receiveAddress, 0);
    }
    if (arrays != 0) {
      Memory.free(arrays);
    }
    if (operands != null) {
      operands.release();
    }
    if (op != null) {
      op.release();
    }
    operands = null;
    send = null;
    receive = null;
    op = null;
  }

  /**
   * The address to hand to MPI: the buffer's own, or a staging block with the array's contents. From now on the buffer keeps its
   * memory, even if another thread closes it.
   */
  static long stageIn(Buf buf) {
    if (!buf.isArray()) {
      return buf.pin();
    }
    long block = Staging.acquire(buf.bytes());
    buf.copyTo(block);
    return block;
  }

  /** As {@link #stageIn} for the second of two buffers; if that fails, the first one, which may be null, is given back. */
  static long stageInBehind(Buf second, Buf first, long firstAddress) {
    try {
      return stageIn(second);
    } catch (RuntimeException | Error cannot) {
      if (first != null) {
        stageOut(first, firstAddress, 0);
      }
      throw cannot;
    }
  }

  /**
   * As {@link #stageIn}, for a buffer that one message is received into: the array's contents are not copied in if the message's
   * length will show, after the receive, which bytes are new ({@link #isStagedInPart}).
   */
  static long stageForReceive(Buf buf) {
    return isStagedInPart(buf) ? Staging.acquire(buf.bytes()) : stageIn(buf);
  }

  /** As {@link #stageForReceive} for the second of two buffers, as {@link #stageInBehind}. */
  static long stageForReceiveBehind(Buf second, Buf first, long firstAddress) {
    try {
      return stageForReceive(second);
    } catch (RuntimeException | Error cannot) {
      if (first != null) {
        stageOut(first, firstAddress, 0);
      }
      throw cannot;
    }
  }

  /** Whether a message has the same bytes in memory as on the wire, from the first one on. */
  static boolean isPacked(Datatype type) {
    return !type.isDerived() && type.isDense();
  }

  /** Whether only received bytes may be copied back from the block of {@link #stageForReceive}. */
  static boolean isStagedInPart(Buf buf) {
    // In a derived type, or one with gaps (DOUBLE_INT), the first bytes of a message are not the first bytes of the elements.
    return buf.isArray() && isPacked(buf.datatype());
  }

  /**
   * The counterpart of {@link #stageIn}.
   *
   * @param bytes the number of new bytes in a staging block, from its beginning on
   */
  static void stageOut(Buf buf, long address, long bytes) {
    if (!buf.isArray()) {
      buf.unpin();
      return;
    }
    if (bytes > 0) {
      buf.copyFrom(address, bytes);
    }
    Staging.release(address, buf.bytes());
  }
}
