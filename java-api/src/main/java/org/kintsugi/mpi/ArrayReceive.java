// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.mpi.internal.calls.Reductions;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.mpi.internal.memory.Scratch;
import org.kintsugi.mpi.internal.threads.CallingThread;
import org.kintsugi.runtime.Flavour;

/**
 * Blocking receives of large messages straight into a Java array, without a staging block.
 *
 * <p>An array has a fixed address only in a JNI critical region, which delays the garbage collector
 * (JDK 17; later versions with G1 do not), so nothing in there may wait for another process. The
 * receive waits outside of it, in a matched probe. Between processes of one node Open MPI then
 * copies a large message out of the sender's memory by itself, inside of {@code MPI_Imrecv}.
 * Whether it does so is not known before: the first message from a rank goes through a staging
 * block, and only if it completed at once, the next ones go into arrays. If a later message does
 * not complete at once (because its sender's datatype has gaps, for instance), the wait is inside
 * the region, and no further message from that rank is received in this way.
 *
 * <p>Measured on 2 cores, the shortest of some hundred: the kernel copies 1 MiB between processes
 * in 76 us and 4 MiB in 315; an array's copy takes 22 and 128 us. Through staging blocks there are
 * two of these copies to a message. The sender's copy remains, because a send may wait for its
 * receiver without limit. Advising the kernel to use huge pages for the blocks changed nothing.
 *
 * <p>Never on the Reinit++ fork (its guard may leave a call by a jump), with several threads that call MPI (one could need the
 * collector while it serves the others), or while there are operations written in Java (MPI may call one of another collective
 * while it receives, and Java must not run in a critical region).
 */
final class ArrayReceive {
  /** At 256 KiB a matched probe takes longer than the copy that it saves. */
  static final int LEAST_BYTES = 512 << 10;

  /**
   * In the scratch block, as struct receive (native/src/arrays.c): the message, its request, whether it was there at once, and
   * the status.
   */
  private static final int AT_ONCE = Scratch.FLAG;

  private static final boolean CAN_BE = Flavour.current() == Flavour.ULFM && prepare();

  private ArrayReceive() {}

  private static native boolean prepare();

  private static native int receive(Object array, long to, int count, long type, long place);

  /** Whether it may be tried for such a buffer. */
  static boolean isFor(Buf buf) {
    return buf.isArray() && buf.spanBytes() >= LEAST_BYTES && CallingThread.isOne() && buf.datatype().isContiguous() && CAN_BE
        && !Reductions.areAny();
  }

  /** The address to which MPI writes the matched message's handle. */
  static long place() {
    return Scratch.address();
  }

  /** The address of the status, after the probe and after the receive. */
  static long status() {
    return Scratch.address() + Scratch.STATUS;
  }

  /** Receives the message into the array. */
  static int intoArray(Buf buf, int count, long type) {
    Object array = buf.base();
    return receive(array, buf.offset() - Memory.arrayBase(array.getClass()), count, type, place());
  }

  /** Receives the message into a block. */
  static int intoBlock(long block, int count, long type) {
    return receive(null, block, count, type, place());
  }

  /** Whether the last receive returned at once. */
  static boolean wasAtOnce() {
    return Memory.getInt(place() + AT_ONCE) != 0;
  }
}
