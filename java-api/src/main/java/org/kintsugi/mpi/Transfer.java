// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.mpi.internal.memory.Staging;

/**
 * The memory of one operation. It holds the buffers that MPI may touch, the staging blocks of
 * arrays, the count arrays that must outlive the call, and the operation written in Java that MPI
 * will call. All of it remains allocated until the operation ends, even if the program closes
 * buffers meanwhile on any thread.
 *
 * <p>Received data are copied into a Java array when the operation completes: the elements that a
 * collective receives, or those that a message contains, and no other byte. The rest of the array
 * must stay untouched: since the operation started, the program or other operations may have
 * written there.
 */
final class Transfer {
  /** A thread's own, for its blocking calls. */
  private static final ThreadLocal<Transfer> OWN = new ThreadLocal<>();

  private Buf send;
  private boolean isSendCopied; // to a staging block: it is an array, or must have another address
  private Buf receive;
  private boolean isMessage; // its length shows, after the receive, which elements are new
  private long received; // otherwise: how many elements of the receive buffer are new, from the first one on
  private int partCount; // or this number of parts of it; their counts and displacements are in C arrays
  private long partCounts;
  private long partDisplacements;
  private TypedParts parts; // or these parts, each with a datatype of its own
  private boolean[] missing; // or those elements in equal parts, without these; null: no parts
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
    begin(send, receive, Buf.areSame(send, receive) && send.hasData());
  }

  private Transfer(Buf send, long sendAddress, Buf receive, long receiveAddress) {
    hold(send, sendAddress, receive, receiveAddress);
  }

  /** As the constructor, for a blocking call; in a loop it allocates no Java objects. */
  static Transfer ofBlocking(Buf send, Buf receive) {
    return idle().begin(send, receive, Buf.areSame(send, receive) && send.hasData());
  }

  private static Transfer idle() {
    Transfer own = OWN.get();
    if (own == null) {
      own = new Transfer();
      OWN.set(own);
    }
    return own.released ? own : new Transfer(); // a call that a rollback has interrupted keeps it
  }

  /** For parts that have no memory in common. Never in place, also with one buffer for both. */
  static Transfer ofParts(boolean isBlocking, Buf send, Buf receive) {
    return (isBlocking ? idle() : new Transfer()).begin(send, receive, false);
  }

  /**
   * A transfer for one message.
   *
   * @param spent a transfer to use again, which has been released, or null: a new one is made
   */
  static Transfer ofMessage(Transfer spent, Buf send, Buf receive) {
    Transfer transfer = spent == null ? new Transfer() : spent;
    if (send != null) {
      return transfer.begin(send, null, false);
    }
    transfer.hold(null, 0, receive, stageForReceive(receive));
    transfer.isMessage = true;
    return transfer;
  }

  private Transfer begin(Buf toSend, Buf toReceive, boolean inPlace) {
    Buf out = inPlace ? null : toSend;
    // Open MPI's nonblocking collectives take two buffers that begin at one address for an operation
    // in place, whatever their elements are.
    boolean isCopied = out != null && (out.isArray() || toReceive != null && out.beginsAt(toReceive));
    long from = inPlace ? MPI.MPI_IN_PLACE : out == null ? 0 : isCopied ? copyIn(out) : out.pin();
    try {
      hold(out, from, toReceive, toReceive == null ? 0 : stageIn(toReceive));
    } catch (RuntimeException | Error cannot) {
      giveBack(out, from, isCopied);
      throw cannot;
    }
    isSendCopied = isCopied;
    return this;
  }

  private void hold(Buf out, long from, Buf in, long to) {
    send = out;
    isSendCopied = out != null && out.isArray();
    sendAddress = from;
    receive = in;
    receiveAddress = to;
    isMessage = false;
    received = in == null ? 0 : in.count();
    partCount = 0;
    parts = null;
    missing = null;
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

  /**
   * The operation receives this number of elements, from the first one on. Without this call it
   * receives the whole buffer.
   *
   * @return this
   */
  Transfer receiving(long elements) {
    received = elements;
    return this;
  }

  /**
   * The operation receives parts of the buffer.
   *
   * @param countsAt the address of their counts, in a block that is freed at the end ({@link #owning})
   * @param displacementsAt the address of their displacements, likewise
   */
  void receivingParts(int number, long countsAt, long displacementsAt) {
    received = 0;
    partCount = number;
    partCounts = countsAt;
    partDisplacements = displacementsAt;
  }

  /** The operation receives these parts of the buffer. @return this */
  Transfer receiving(TypedParts ofBuffer) {
    parts = ofBuffer;
    return this;
  }

  /**
   * The operation receives equal parts, but not all of them.
   *
   * @param notReceived for each part; null: all are received
   * @return this
   */
  Transfer without(boolean[] notReceived) {
    missing = notReceived;
    return this;
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

  /**
   * As {@link #using(Op)}, for an operation written in Java. It works on these operands instead of
   * the program's buffers.
   *
   * @return this
   */
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
   * Before a persistent request starts once more: copies the arrays' present contents in, also those of receiving arrays, which
   * an operation in place reads.
   */
  void refill() {
    if (isSendCopied) {
      send.copyTo(sendAddress);
    }
    if (receive != null && receive.isArray() && !isMessage) {
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
      deliver(status);
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

  /** Copies what has been received into the array. */
  private void deliver(long status) {
    if (isMessage) {
      receive.copyFrom(receiveAddress, 0, receive.count(), Status.bytes(status));
    } else if (parts != null) {
      parts.deliver(receive, receiveAddress);
    } else if (missing != null) {
      long each = received / missing.length;
      for (int i = 0; i < missing.length; i++) {
        deliver(i * each, missing[i] ? 0 : each);
      }
    } else {
      deliver(0, received);
      for (int i = 0; i < partCount; i++) {
        deliver(Memory.getInt(partDisplacements + 4L * i), Memory.getInt(partCounts + 4L * i));
      }
    }
  }

  private void deliver(long first, long elements) {
    receive.copyFrom(receiveAddress, first, elements, receive.dataBytes(elements));
  }

  /**
   * Releases staging blocks and buffers. Memory of buffers that the program has closed is freed
   * now. Idempotent.
   */
  void release() {
    if (released) {
      return;
    }
    released = true;
    giveBack(send, sendAddress, isSendCopied);
    giveBack(receive, receiveAddress, receive != null && receive.isArray());
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
    parts = null;
    op = null;
  }

  /**
   * The address to hand to MPI: the buffer's own, or a staging block with the array's contents. From now on the buffer keeps its
   * memory, even if another thread closes it.
   */
  static long stageIn(Buf buf) {
    return buf.isArray() ? copyIn(buf) : buf.pin();
  }

  private static long copyIn(Buf buf) {
    long block = Staging.acquire(buf.spanBytes());
    buf.copyTo(block);
    return block;
  }

  /**
   * As {@link #stageIn}, for a buffer that one message is received into: the array's contents are not copied in, as the message's
   * length will show which elements are new.
   */
  static long stageForReceive(Buf buf) {
    return buf.isArray() ? Staging.acquire(buf.spanBytes()) : buf.pin();
  }

  /** As {@link #stageForReceive} for the second of two buffers; if that fails, the first one is given back. */
  static long stageForReceiveBehind(Buf second, Buf first, long firstAddress) {
    try {
      return stageForReceive(second);
    } catch (RuntimeException | Error cannot) {
      stageOut(first, firstAddress, 0);
      throw cannot;
    }
  }

  /**
   * The counterpart of {@link #stageIn}.
   *
   * @param bytes the bytes of data that a message has brought into a staging block, in the order of the type map
   */
  static void stageOut(Buf buf, long address, long bytes) {
    if (buf.isArray() && bytes > 0) {
      buf.copyFrom(address, 0, buf.count(), bytes);
    }
    giveBack(buf, address, buf.isArray());
  }

  /** Gives back a staging block, or the buffer's own memory, which may be null. */
  private static void giveBack(Buf buf, long address, boolean isBlock) {
    if (buf == null) {
      return;
    }
    if (isBlock) {
      Staging.release(address, buf.spanBytes());
    } else {
      buf.unpin();
    }
  }
}
