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
  private final long handle;

  /** Makes the datatype of marked elements; the caller closes this. */
  MarkedElements(Datatype elements) {
    type = elements.isDerived() ? Datatype.contiguous(1, elements) : elements; // a copy: the program may close its own
    bytes = type.size();
    long scratch = Scratch.address();
    Errors.check(MPI.MPI_Type_contiguous(Math.toIntExact(bytes + 1), MPI.MPI_BYTE, scratch), "MPI_Type_contiguous");
    handle = Memory.getLong(scratch);
    Errors.check(MPI.MPI_Type_commit(scratch), "MPI_Type_commit");
  }

  void close() {
    type.close();
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

  /** Makes marked elements of the data in a buffer, without marks. */
  void write(Buf elements, long marked) {
    long count = elements.count();
    if (!elements.isStaged()) {
      Reductions.fill(marked, elements.at(), count, bytes, 0);
      return;
    }
    long piece = Math.min(count, piece());
    long packed = Staging.acquire(piece * bytes);
    try {
      for (long i = 0; i < count; i += piece) {
        long n = Math.min(piece, count - i);
        elements.pack(i, n, packed);
        Reductions.fill(marked + i * (bytes + 1), packed, n, bytes, 0);
      }
    } finally {
      Staging.release(packed, piece * bytes);
    }
  }

  /** Copies the data of marked elements to the first elements of a buffer. */
  void read(long marked, long count, Buf elements) {
    if (!elements.isStaged()) {
      Reductions.extract(marked, elements.at(), count, bytes);
      return;
    }
    long piece = Math.min(count, piece());
    long packed = Staging.acquire(piece * bytes);
    try {
      for (long i = 0; i < count; i += piece) {
        long n = Math.min(piece, count - i);
        Reductions.extract(marked + i * (bytes + 1), packed, n, bytes);
        elements.unpack(packed, i, n, n * bytes);
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
    long block = Staging.acquire(2 * room + piece * bytes);
    try {
      long packed = block + 2 * room;
      for (long i = 0; i < count; i += piece) {
        int n = (int) Math.min(piece, count - i);
        long left = in + i * (bytes + 1);
        long right = inOut + i * (bytes + 1);
        Buf result = copy(right, n, block + room, room, packed);
        reduction.reduce(copy(left, n, block, room, packed), result, n);
        result.pack(packed);
        Reductions.fill(right, packed, n, bytes, left);
      }
    } finally {
      Staging.release(block, 2 * room + piece * bytes);
    }
  }

  private Buf copy(long marked, int count, long to, long room, long packed) {
    Buf elements = Buf.borrowed(to, count, type);
    if (elements.isStaged()) {
      Memory.clear(to, room); // so that gaps are the same on all processes
      Reductions.extract(marked, packed, count, bytes);
      elements.unpack(packed, 0, count, count * bytes);
    } else {
      Reductions.extract(marked, to, count, bytes);
    }
    return elements;
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
      MarkedElements.this.write(from, send().at());
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
      MarkedElements.this.read(from, results, receive);
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
