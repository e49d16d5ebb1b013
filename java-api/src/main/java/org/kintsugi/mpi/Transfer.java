// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.mpi.internal.memory.Staging;

/**
 * The memory of one operation. It holds the buffers that MPI may touch, the staging blocks of
 * buffers, the count arrays that must outlive the call, and the operation written in Java that MPI
 * will call. All of it remains allocated until the operation ends, even if the program closes
 * buffers meanwhile on any thread.
 *
 * <p>MPI gets a staging block for a Java array, and for elements with gaps ({@link Buf#isStaged}).
 * The block has the data without gaps, so MPI works on basic elements or bytes
 * ({@link Datatype#plain}), and each element has the same place in it as in the buffer. Open MPI's
 * own packing of derived datatypes is not used: it has delivered wrong data in long messages
 * (5.0.7, 2-byte elements 3 bytes apart).
 *
 * <p>Received data are copied into the buffer when the operation completes: the elements that a
 * collective receives, or those that a message contains, and no other byte. The rest of the buffer
 * must stay untouched: since the operation started, the program or other operations may have
 * written there.
 */
final class Transfer {
  /** A thread's own, for its blocking calls. */
  private static final ThreadLocal<Transfer> OWN = new ThreadLocal<>();

  private Buf send;
  private TypedParts sentParts; // these parts are sent, each with a datatype of its own; null: the elements
  private boolean isSendCopied; // to a staging block
  private Buf receive;
  private boolean isReceiveCopied; // from a staging block
  private boolean isLaidOut; // staging blocks have gaps as the buffers do, as MPI reduces them in their own datatype
  private boolean isMessage; // its length shows, after the receive, which elements are new
  private long received; // otherwise: how many elements of the receive buffer are new, from the first one on
  private int partCount; // or this number of parts of it
  private long partCounts; // the address of the parts' counts, which their displacements follow
  private int partUnit; // how many of what these two count make an element
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
    holdBuffers(send, receive, isInPlace(send, receive));
  }

  private Transfer(Buf send, long sendAddress, Buf receive, long receiveAddress) {
    hold(send, sendAddress, send != null && send.isStaged(), receive, receiveAddress, receive != null && receive.isStaged());
  }

  /** As the constructor, for a blocking call; in a loop it allocates no Java objects. */
  static Transfer ofBlocking(Buf send, Buf receive) {
    return idle().holdBuffers(send, receive, isInPlace(send, receive));
  }

  private static boolean isInPlace(Buf send, Buf receive) {
    return Buf.areSame(send, receive) && send.hasData();
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
    return (isBlocking ? idle() : new Transfer()).holdBuffers(send, receive, false);
  }

  /** For parts with datatypes of their own. */
  static Transfer ofParts(boolean isBlocking, Buf send, TypedParts sent, Buf receive, TypedParts received) {
    return (isBlocking ? idle() : new Transfer()).holdBuffers(send.asBytes(), sent, receive.asBytes(), received, false, false,
        false);
  }

  /**
   * For a reduction, which MPI does in the elements' own datatype. If it is in place and its result
   * is shorter than its input, Open MPI may change the rest of the input (5.0.7, MPI_Reduce_scatter
   * with counts of 0). So it gets a copy.
   *
   * @param results how many elements the result has here
   */
  static Transfer ofReduction(boolean isBlocking, Buf send, Buf receive, long results) {
    boolean hasGaps = send != null ? !send.datatype().isContiguous() : receive != null && !receive.datatype().isContiguous();
    boolean inPlace = isInPlace(send, receive);
    return (isBlocking ? idle() : new Transfer()).holdBuffers(send, null, receive, null, inPlace, hasGaps,
        inPlace && results < receive.count());
  }

  /**
   * A transfer for one message.
   *
   * @param spent a transfer to use again, which has been released, or null: a new one is made
   */
  static Transfer ofMessage(Transfer spent, Buf send, Buf receive) {
    Transfer transfer = spent == null ? new Transfer() : spent;
    if (send != null) {
      return transfer.holdBuffers(send, null, false);
    }
    transfer.parts = null;
    transfer.hold(null, 0, false, receive, stageForReceive(receive), receive.isStaged());
    transfer.isMessage = true;
    return transfer;
  }

  private Transfer holdBuffers(Buf toSend, Buf toReceive, boolean inPlace) {
    return holdBuffers(toSend, null, toReceive, null, inPlace, false, false);
  }

  /** Pins the call's buffers, or copies them into staging blocks, until {@link #release}. It sends nothing. */
  private Transfer holdBuffers(Buf toSend, TypedParts ofSend, Buf toReceive, TypedParts ofReceive, boolean inPlace,
      boolean hasGaps, boolean keepsInput) {
    Buf out = inPlace ? null : toSend;
    sentParts = ofSend;
    parts = ofReceive;
    isLaidOut = hasGaps;
    // Open MPI's nonblocking collectives take two buffers that begin at one address for an operation
    // in place, whatever their elements are.
    boolean isOutCopied = out != null && (isStaged(out, sentParts) || toReceive != null && out.beginsAt(toReceive));
    long from = inPlace ? MPI.MPI_IN_PLACE : out == null ? 0 : isOutCopied ? copyIn(out, sentParts, true) : out.pin();
    try {
      boolean isInCopied = toReceive != null && (keepsInput || isStaged(toReceive, parts));
      long to = toReceive == null ? 0 : isInCopied ? copyIn(toReceive, parts, out == null) : toReceive.pin();
      hold(out, from, isOutCopied, toReceive, to, isInCopied);
    } catch (RuntimeException | Error cannot) {
      giveBack(out, sentParts, from, isOutCopied);
      throw cannot;
    }
    return this;
  }

  private void hold(Buf out, long from, boolean isOutCopied, Buf in, long to, boolean isInCopied) {
    send = out;
    isSendCopied = isOutCopied;
    sendAddress = from;
    receive = in;
    isReceiveCopied = isInCopied;
    receiveAddress = to;
    isMessage = false;
    received = in == null ? 0 : in.count();
    partCount = 0;
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
   * @param countsAt the address of their counts, which their displacements follow, in a block that is freed at the end ({@link
   *     #owning})
   * @param units how many of what both count make an element
   */
  void receivingParts(int number, long countsAt, int units) {
    received = 0;
    partCount = number;
    partCounts = countsAt;
    partUnit = Math.max(1, units);
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

  /** Whether a staging block has the parts that are sent, one after the other. */
  boolean arePartsPacked() {
    return isSendCopied;
  }

  /** Likewise of the parts that are received. */
  boolean areReceivedPartsPacked() {
    return isReceiveCopied;
  }

  long sendAddress() {
    return sendAddress;
  }

  long receiveAddress() {
    return receiveAddress;
  }

  /** Before a persistent request starts once more: copies the present contents of buffers to their staging blocks. */
  void refill() {
    if (isSendCopied) {
      copy(send, sentParts, sendAddress);
    }
    boolean isReceiveRead = send == null; // by MPI: in place, or because there is nothing else to send
    if (isReceiveCopied && isReceiveRead && !isMessage) {
      copy(receive, parts, receiveAddress);
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
    if (success && isReceiveCopied) {
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

  /** Copies what has been received into the buffer. */
  private void deliver(long status) {
    if (isMessage) {
      receive.unpack(receiveAddress, 0, receive.count(), Status.bytes(status));
    } else if (parts != null) {
      parts.unpack(receive, receiveAddress);
    } else if (isLaidOut) {
      receive.copyElements(receiveAddress, received);
    } else if (missing != null) {
      long each = received / missing.length;
      for (int i = 0; i < missing.length; i++) {
        deliver(i * each, missing[i] ? 0 : each);
      }
    } else {
      deliver(0, received);
      long partDisplacements = partCounts + 4L * partCount;
      for (int i = 0; i < partCount; i++) {
        deliver(Memory.getInt(partDisplacements + 4L * i) / partUnit, Memory.getInt(partCounts + 4L * i) / partUnit);
      }
    }
  }

  private void deliver(long first, long elements) {
    receive.unpack(receiveAddress + receive.dataBytes(first), first, elements, receive.dataBytes(elements));
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
    giveBack(send, sentParts, sendAddress, isSendCopied);
    giveBack(receive, parts, receiveAddress, isReceiveCopied);
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
    sentParts = null;
    op = null;
  }

  private boolean isStaged(Buf buf, TypedParts ofBuffer) {
    return ofBuffer != null ? buf.isArray() || ofBuffer.haveGaps() : isLaidOut ? buf.isArray() : buf.isStaged();
  }

  private long blockBytes(Buf buf, TypedParts ofBuffer) {
    return ofBuffer != null ? ofBuffer.dataBytes() : isLaidOut ? buf.spanBytes() : buf.dataBytes(buf.count());
  }

  private void copy(Buf buf, TypedParts ofBuffer, long block) {
    if (ofBuffer != null) {
      ofBuffer.pack(buf, block);
    } else if (isLaidOut) {
      buf.copySpan(block);
    } else {
      buf.pack(block);
    }
  }

  private long copyIn(Buf buf, TypedParts ofBuffer, boolean isRead) {
    long block = stage(buf, blockBytes(buf, ofBuffer));
    if (isRead) {
      copy(buf, ofBuffer, block);
    }
    return block;
  }

  private void giveBack(Buf buf, TypedParts ofBuffer, long address, boolean isBlock) {
    if (buf == null) {
      return;
    }
    if (isBlock) {
      Staging.release(address, blockBytes(buf, ofBuffer));
    }
    buf.unpin();
  }

  /** A block for data of a buffer, which keeps its memory, too. */
  private static long stage(Buf buf, long bytes) {
    buf.pin();
    try {
      return Staging.acquire(bytes);
    } catch (RuntimeException | Error cannot) {
      buf.unpin();
      throw cannot;
    }
  }

  // For blocking messages, without a transfer.

  /**
   * The address to hand to MPI: the buffer's own, or a staging block with its data. From now on the buffer keeps its memory, even
   * if another thread closes it.
   */
  static long stageIn(Buf buf) {
    if (!buf.isStaged()) {
      return buf.pin();
    }
    long block = stage(buf, buf.dataBytes(buf.count()));
    buf.pack(block);
    return block;
  }

  /**
   * As {@link #stageIn}, for a buffer that one message is received into: the buffer's contents are not copied, as the message's
   * length will show which elements are new.
   */
  static long stageForReceive(Buf buf) {
    return buf.isStaged() ? stage(buf, buf.dataBytes(buf.count())) : buf.pin();
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
    if (buf.isStaged()) {
      if (bytes > 0) {
        buf.unpack(address, 0, buf.count(), bytes);
      }
      Staging.release(address, buf.dataBytes(buf.count()));
    }
    buf.unpin();
  }
}
