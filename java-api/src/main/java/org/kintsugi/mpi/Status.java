// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.calls.StatusFields;
import org.kintsugi.mpi.internal.lifetime.Rejections;
import org.kintsugi.mpi.internal.memory.Errors;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.mpi.internal.memory.Scratch;

/**
 * The result of a receive or probe: the sender, the tag, and the length. Reusable: if one object is
 * passed to every receive, nothing is allocated.
 */
public final class Status {
  private int source = Comm.ANY_SOURCE;
  private int tag = Comm.ANY_TAG;
  private boolean cancelled;
  private long bytes;

  /** Makes an empty status. */
  public Status() {}

  /** Copies the {@code MPI_Status} at an address. */
  Status fill(long status) {
    source = Memory.getInt(status + StatusFields.SOURCE);
    tag = Memory.getInt(status + StatusFields.TAG);
    long flag = Scratch.address() + Scratch.OF_STATUS;
    Errors.check(MPI.MPI_Test_cancelled(status, flag), "MPI_Test_cancelled");
    cancelled = Memory.getInt(flag) != 0;
    bytes = bytes(status);
    return this;
  }

  /** The length in bytes from the {@code MPI_Status} at an address. */
  static long bytes(long status) {
    long count = Scratch.address() + Scratch.OF_STATUS;
    // The field _ucount is internal to Open MPI, so MPI is called; in bytes, so that one call fits
    // every datatype.
    Errors.check(MPI.MPI_Get_elements_x(status, MPI.MPI_BYTE, count), "MPI_Get_elements_x");
    return Memory.getLong(count);
  }

  /** Fills it for a message that was not received by MPI. */
  Status fill(int from, int under, long length) {
    source = from;
    tag = under;
    cancelled = false;
    bytes = length;
    return this;
  }

  /**
   * The sender's rank in the communicator.
   *
   * @return from 0 on; {@link Comm#ANY_SOURCE} if nothing has been received yet,
   *     {@link Comm#PROC_NULL} after a receive from it
   */
  public int source() {
    return source;
  }

  /**
   * The message's tag.
   *
   * @return zero or greater; {@link Comm#ANY_TAG} if nothing has been received yet, or after a
   *     receive from {@link Comm#PROC_NULL}
   */
  public int tag() {
    return tag;
  }

  /**
   * Whether the operation was cancelled.
   *
   * @return true: nothing has been received
   */
  public boolean isCancelled() {
    return cancelled;
  }

  /**
   * The message's length in bytes of data.
   *
   * @return the bytes, holes of the datatype not counted
   */
  public long bytes() {
    return bytes;
  }

  /**
   * The message's length in elements.
   *
   * @param type the datatype whose elements are counted
   * @return how many elements of that type; 0 for a type without data
   * @throws IllegalArgumentException if the length is not a multiple of the element's
   */
  public long count(Datatype type) {
    long size = type.size();
    if (size == 0 && bytes == 0) {
      return 0; // as MPI_Get_count
    }
    if (size == 0 || bytes % size != 0) {
      throw Rejections.argument(bytes + " bytes are not a whole number of " + type + " (" + size + " bytes each)");
    }
    return bytes / size;
  }

  @Override
  public String toString() {
    return "Status[source " + source + ", tag " + tag + ", " + bytes + " bytes" + (cancelled ? ", cancelled" : "") + "]";
  }
}
