// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal;

import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Datatype;
import org.kintsugi.mpi.TypedParts;
import org.kintsugi.mpi.internal.memory.Memory;

/** The operations on buffers and datatypes that only Kintsugi's own packages may use: see {@link Access}. */
public interface BufAccess {
  /**
   * Off-heap bytes, like {@code Buf.allocateBytes}, but not cleared: pages that are never written occupy
   * no memory.
   */
  Buf uncleared(long bytes);

  /** Copies the data of a buffer to a block, without the gaps, as in a message. */
  void pack(Buf buf, long block);

  /** Copies a number of bytes of data from such a block into a buffer. */
  void unpack(Buf buf, long block, long bytes);

  /** The Java array that a buffer's elements are in; null if they are off-heap. */
  Object base(Buf buf);

  /** The place of a buffer's first element: an address, or an offset in {@link #base} in the sense of {@link Memory#copyAny}. */
  long offset(Buf buf);

  /** Whether both are the same elements in memory. */
  boolean areSame(Buf one, Buf other);

  /** The signature of a number of elements, as text. */
  String signature(Datatype elements, long count);

  /** The signatures of parts, with commas between. */
  String signatures(TypedParts parts);

  /** The number of elements with the signature of a number of others; negative if there is none. */
  long countFor(Datatype elements, long others, Datatype other);
}
