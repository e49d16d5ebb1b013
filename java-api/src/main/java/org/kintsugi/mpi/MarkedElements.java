// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.calls.Reductions;
import org.kintsugi.mpi.internal.memory.Errors;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.mpi.internal.memory.Scratch;
import org.kintsugi.mpi.internal.memory.Staging;

/**
 * The elements that MPI gets in a reduction written in Java. Each consists of the packed data, and
 * a byte that is set if the operation threw for it on any process. MPI has no other way to report
 * that (native/src/reduction.c).
 *
 * <p>The operation works on copies with the layout of its own datatype. MPI's temporary memory has no room for the gaps of a
 * datatype before its first byte, and an operation that wrote there would destroy other memory.
 */
final class MarkedElements {
  /** The size of a piece that is copied at once: it fits a processor's cache. */
  private static final long PIECE_BYTES = 128 << 10;

  private final Datatype type;
  private final long bytes; // of an element's data
  private final boolean isDense;
  private final long handle;

  /** Makes the datatype of the packed data; the caller closes this. */
  MarkedElements(Datatype elements) {
    isDense = elements.isDense();
    type = isDense ? elements : Datatype.contiguous(1, elements); // a copy: the program may close its own
    bytes = type.size();
    if (!isDense) {
      type.handle(); // makes it now: a thread that needs it later may not be allowed to
    }
    long scratch = Scratch.address();
    Errors.check(MPI.MPI_Type_contiguous(Math.toIntExact(bytes + 1), MPI.MPI_BYTE, scratch), "MPI_Type_contiguous");
    handle = Memory.getLong(scratch);
    Errors.check(MPI.MPI_Type_commit(scratch), "MPI_Type_commit");
  }

  void close() {
    if (!isDense) {
      type.close();
    }
    long scratch = Scratch.address();
    Memory.putLong(scratch, handle);
    Errors.check(MPI.MPI_Type_free(scratch), "MPI_Type_free");
  }

  /** The {@code MPI_Datatype} of a marked element. */
  long handle() {
    return handle;
  }

  private long piece() {
    return Math.max(1, PIECE_BYTES / Math.max(1, Math.max(bytes, type.extent())));
  }

  /** Makes marked elements, without marks. */
  void write(long elements, long count, long marked) {
    if (isDense) {
      Reductions.fill(marked, elements, count, bytes, 0);
      return;
    }
    long piece = Math.min(count, piece());
    long packed = Staging.acquire(piece * bytes);
    try {
      for (long i = 0; i < count; i += piece) {
        long n = Math.min(piece, count - i);
        pack(elements + i * type.extent(), n, packed);
        Reductions.fill(marked + i * (bytes + 1), packed, n, bytes, 0);
      }
    } finally {
      Staging.release(packed, piece * bytes);
    }
  }

  /** Copies the data of marked elements to their places in the program's datatype. */
  void read(long marked, long count, long elements) {
    if (isDense) {
      Reductions.extract(marked, elements, count, bytes);
      return;
    }
    long piece = Math.min(count, piece());
    long packed = Staging.acquire(piece * bytes);
    try {
      for (long i = 0; i < count; i += piece) {
        long n = Math.min(piece, count - i);
        Reductions.extract(marked + i * (bytes + 1), packed, n, bytes);
        unpack(packed, n, elements + i * type.extent());
      }
    } finally {
      Staging.release(packed, piece * bytes);
    }
  }

  boolean isAnyMarked(long marked, long count) {
    return Reductions.isAnyMarked(marked, count, bytes);
  }

  void mark(long marked, long count) {
    Reductions.mark(marked, count, bytes);
  }

  /** Combines marked elements: {@code inOut = in op inOut}. */
  void reduce(long in, long inOut, long count, Op.Reduction reduction) {
    long piece = Math.min(count, piece());
    long room = Math.max(type.span(piece), piece * type.extent());
    long packedRoom = isDense ? 0 : piece * bytes;
    long block = Staging.acquire(2 * room + packedRoom);
    try {
      long packed = block + 2 * room;
      for (long i = 0; i < count; i += piece) {
        int n = (int) Math.min(piece, count - i);
        long left = in + i * (bytes + 1);
        long right = inOut + i * (bytes + 1);
        Buf result = copy(right, n, block + room, room, packed);
        reduction.reduce(copy(left, n, block, room, packed), result, n);
        if (!isDense) {
          pack(block + room, n, packed);
        }
        Reductions.fill(right, isDense ? block + room : packed, n, bytes, left);
      }
    } finally {
      Staging.release(block, 2 * room + packedRoom);
    }
  }

  private Buf copy(long marked, int count, long to, long room, long packed) {
    if (isDense) {
      Reductions.extract(marked, to, count, bytes);
    } else {
      Memory.clear(to, room); // so that gaps are the same on all processes
      Reductions.extract(marked, packed, count, bytes);
      unpack(packed, count, to);
    }
    return Buf.borrowed(to, count, type);
  }

  // MPI_Pack and MPI_Unpack are local, and MPI allows them inside an operation: it only forbids
  // communication.

  private void pack(long elements, long count, long packed) {
    long position = Scratch.address() + Scratch.OF_STATUS;
    Memory.putInt(position, 0);
    Errors.check(MPI.MPI_Pack(elements, (int) count, type.handle(), packed, (int) (count * bytes), position, MPI.MPI_COMM_SELF),
        "MPI_Pack");
  }

  private void unpack(long packed, long count, long elements) {
    long position = Scratch.address() + Scratch.OF_STATUS;
    Memory.putInt(position, 0);
    Errors.check(
        MPI.MPI_Unpack(packed, (int) (count * bytes), position, elements, (int) count, type.handle(), MPI.MPI_COMM_SELF),
        "MPI_Unpack");
  }

  /**
   * The two buffers of a reduction, as marked elements.
   *
   * @param send null: none
   * @param receive null: none; the same memory as {@code send}: the operation works in place
   * @param results how many elements of the result this process gets
   * @param function the C function, for an exception
   */
  Operands operands(Buf send, Buf receive, long results, String function) {
    return new Operands(send, receive, results, function);
  }

  /** The program's buffers and the marked elements that replace them. */
  final class Operands {
    private final Buf send; // null if the operation is in place: receive has the operands
    private final Buf receive;
    private final long results;
    private final String function;
    private final boolean inPlace;
    private Buf markedSend;
    private Buf markedReceive;

    private Operands(Buf send, Buf receive, long results, String function) {
      inPlace = Buf.areSame(send, receive);
      this.send = inPlace ? null : send;
      this.receive = receive;
      this.results = results;
      this.function = function;
      if (this.send != null) {
        this.send.pin();
      }
      try {
        if (receive != null) {
          receive.pin();
        }
      } catch (RuntimeException | Error closed) {
        if (this.send != null) {
          this.send.unpin();
        }
        throw closed;
      }
      try {
        markedSend = marked(this.send);
        markedReceive = marked(receive);
        write();
      } catch (RuntimeException | Error cannot) {
        release();
        throw cannot;
      }
    }

    private Buf marked(Buf buf) {
      return buf == null ? null : Buf.uncleared(Math.multiplyExact(buf.count(), bytes + 1));
    }

    Buf send() {
      return inPlace ? markedReceive : markedSend;
    }

    Buf receive() {
      return markedReceive;
    }

    /** Copies the operands from the program's buffers. */
    void write() {
      Buf from = inPlace ? receive : send;
      if (from == null) {
        return;
      }
      long to = send().at();
      if (!from.isArray()) {
        MarkedElements.this.write(from.at(), from.count(), to);
        return;
      }
      long all = type.span(from.count());
      long block = Staging.acquire(all);
      try {
        from.copyTo(block);
        MarkedElements.this.write(block, from.count(), to);
      } finally {
        Staging.release(block, all);
      }
    }

    /**
     * Copies the results to the program's buffer. If one of them is marked, the buffer stays
     * unchanged.
     *
     * @return the exception if a result is marked; null otherwise
     */
    RuntimeException read() {
      if (receive == null || results == 0) {
        return null;
      }
      long from = markedReceive.at();
      if (isAnyMarked(from, results)) {
        return thrownElsewhere(function);
      }
      if (!receive.isArray()) {
        MarkedElements.this.read(from, results, receive.at());
        return null;
      }
      long all = type.span(results);
      long block = Staging.acquire(all);
      try {
        MarkedElements.this.read(from, results, block);
        receive.copyFrom(block, 0, results, receive.dataBytes(results));
      } finally {
        Staging.release(block, all);
      }
      return null;
    }

    /** Releases the program's buffers. */
    void release() {
      if (send != null) {
        send.unpin();
      }
      if (receive != null) {
        receive.unpin();
      }
      if (markedSend != null) {
        markedSend.close();
      }
      if (markedReceive != null) {
        markedReceive.close();
      }
    }
  }

  /**
   * The exception if a result is marked, but the operation threw on another process.
   */
  static MpiException thrownElsewhere(String function) {
    return new MpiException(MPI.MPI_ERR_OP, MPI.MPI_ERR_OP, function,
        "the operation written in Java threw an exception on another process, which has got it; there is no result");
  }
}
