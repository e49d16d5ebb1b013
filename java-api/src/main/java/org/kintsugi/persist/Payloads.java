// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.internal.Access;
import org.kintsugi.mpi.internal.memory.Errors;
import org.kintsugi.mpi.internal.memory.Memory;

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
  ByteBuffer of(Buf buf) {
    if (buf == null) {
      return room(0);
    }
    ByteBuffer all = room(capacity(buf));
    Access.bufs().pack(buf, Memory.addressOf(all));
    return all;
  }

  /** How many bytes a buffer can take. */
  static long capacity(Buf buf) {
    return buf.count() * buf.datatype().size();
  }

  /** Fills a buffer; what a shorter message does not reach stays as it is. */
  static void to(ByteBuffer message, Buf buf) {
    if (message.remaining() > capacity(buf)) {
      throw Errors.exception(MPI.MPI_ERR_TRUNCATE, "MPI_Recv");
    }
    Access.bufs().unpack(buf, Memory.addressOf(message) + message.position(), message.remaining());
  }
}
