// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Datatype;
import org.kintsugi.mpi.internal.Access;
import org.kintsugi.mpi.internal.memory.Errors;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.mpi.internal.memory.Scratch;

/** Between buffers of any datatype and the bytes that a store keeps: the data without holes, as MPI would send it. */
final class Payloads {
  private static final int LEAST = 4096;

  private ByteBuffer room = allocate(LEAST);

  private static ByteBuffer allocate(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
  }

  /** A buffer of that size, valid until the next call of any method. */
  ByteBuffer room(long bytes) {
    if (bytes > Integer.MAX_VALUE - LEAST) {
      throw new IllegalArgumentException(
          "message of " + bytes + " bytes: a persistent communicator stores less than " + (Integer.MAX_VALUE - LEAST));
    }
    if (room.capacity() < bytes) {
      room = allocate((int) Math.max(bytes, Math.min(2L * room.capacity(), Integer.MAX_VALUE - LEAST)));
    }
    return room.clear().limit((int) bytes);
  }

  /** The data of a buffer, null for none; valid until the next call of any method. */
  ByteBuffer of(Buf buf, long comm) {
    if (buf == null) {
      return room(0);
    }
    if (!isDense(buf)) {
      return packed(buf, comm);
    }
    long bytes = buf.count() * buf.datatype().extent();
    if (buf.isArray()) {
      ByteBuffer all = room(buf.bytes());
      Access.bufs().copyTo(buf, Memory.addressOf(all));
      return all.limit((int) bytes);
    }
    ByteBuffer all = room(bytes);
    Memory.copy(buf.address(), Memory.addressOf(all), bytes);
    return all;
  }

  /** Whether the elements have no gaps. If they do, a buffer may lack the gap after the last one. */
  private static boolean isDense(Buf buf) {
    return Access.bufs().isOfPredefinedType(buf) && buf.datatype().extent() == buf.datatype().size();
  }

  private ByteBuffer packed(Buf buf, long comm) {
    room(capacity(buf)); // refuses a larger buffer
    if (buf.count() > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("buffer of " + buf.count() + " elements of " + buf.datatype()
          + ": MPI packs up to " + Integer.MAX_VALUE + " at once; use a datatype of several of them");
    }
    int count = (int) buf.count();
    long scratch = Scratch.address();
    Errors.check(MPI.MPI_Pack_size(count, buf.datatype().handle(), comm, scratch), "MPI_Pack_size");
    int size = Memory.getInt(scratch);
    ByteBuffer packed = room(size);
    long from = buf.isArray() ? Memory.allocate(buf.bytes()) : buf.address();
    try {
      if (buf.isArray()) {
        Access.bufs().copyTo(buf, from);
      }
      Memory.putInt(scratch, 0);
      Errors.check(MPI.MPI_Pack(from, count, buf.datatype().handle(), Memory.addressOf(packed), size, scratch, comm), "MPI_Pack");
      return packed.limit(Memory.getInt(scratch));
    } finally {
      if (buf.isArray()) {
        Memory.free(from);
      }
    }
  }

  /** MPI unpacks whole elements: the last one is made whole with what the buffer has there. */
  private static void unpack(long from, int bytes, long to, Datatype type, long comm) {
    long size = Math.max(1, type.size());
    int count = (int) ((bytes + size - 1) / size);
    int whole = (int) (count * size);
    long scratch = Scratch.address();
    long packed = bytes == whole ? from : Memory.allocate(whole);
    try {
      if (bytes != whole) {
        Memory.putInt(scratch, 0);
        Errors.check(MPI.MPI_Pack(to, count, type.handle(), packed, whole, scratch, comm), "MPI_Pack");
        Memory.copy(from, packed, bytes);
      }
      Memory.putInt(scratch, 0);
      Errors.check(MPI.MPI_Unpack(packed, whole, scratch, to, count, type.handle(), comm), "MPI_Unpack");
    } finally {
      if (packed != from) {
        Memory.free(packed);
      }
    }
  }

  /** How many bytes a buffer can take. */
  static long capacity(Buf buf) {
    return buf.count() * buf.datatype().size();
  }

  /** Fills a buffer; what a shorter message does not reach stays as it is. */
  static void to(ByteBuffer message, Buf buf, long comm) {
    int bytes = message.remaining();
    long from = Memory.addressOf(message) + message.position();
    if (bytes > capacity(buf)) {
      throw Errors.exception(MPI.MPI_ERR_TRUNCATE, "MPI_Recv");
    }
    boolean dense = isDense(buf);
    if (!buf.isArray() && dense) {
      Memory.copy(from, buf.address(), bytes);
      return;
    }
    long to = buf.isArray() ? Memory.allocate(buf.bytes()) : buf.address();
    try {
      if (buf.isArray()) {
        Access.bufs().copyTo(buf, to);
      }
      if (dense) {
        Memory.copy(from, to, bytes);
      } else {
        unpack(from, bytes, to, buf.datatype(), comm);
      }
      if (buf.isArray()) {
        Access.bufs().copyFrom(buf, to, bytes);
      }
    } finally {
      if (buf.isArray()) {
        Memory.free(to);
      }
    }
  }
}
