// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.protection;

import java.lang.invoke.MethodType;
import java.util.Set;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.internal.memory.Memory;

/** One protected item: describes it, and copies it into an image and back. */
public interface Protected {
  /** Its kind, and its length if a restore cannot change that, for comparison between save and restore. One line of text. */
  String shape();

  /** Adds its bytes to the image that is composed next. */
  void pieces(Pieces to);

  /**
   * Restores the item from the bytes at an address. An item of the same {@link #shape} was saved
   * there.
   *
   * @param given arrays and buffers that were restored already: two variables may share one now
   *     that did not share it when they were saved
   */
  void readFrom(long address, long bytes, Set<Object> given);

  /** Adds the array or buffer that a restore will write into, whatever else leads there; nothing if it may make another one. */
  default void claim(Set<Object> given) {}

  /** The object that the body makes anew in a new beginning; null: not known. */
  Object holder();

  /** Takes what something protected is made of, in its order. */
  interface Pieces {
    /**
     * Bytes of an array, or off-heap ones if {@code base} is null, in the sense of {@link Memory#copyAny}.
     *
     * @param owner frees off-heap memory when it is garbage, and must not be before the image is
     */
    void add(Object base, long offset, long bytes, Object owner);

    /** Bytes of an array. */
    default void add(Object array, long offset, long bytes) {
      add(array, offset, bytes, array);
    }

    /** Numbers, which are copied when they are needed. */
    default void add(long... words) {
      add(words, Memory.arrayBase(long[].class), (long) Long.BYTES * words.length);
    }
  }

  /**
   * Something that may be another array, buffer or number at every save.
   *
   * @param type its class; that of a number may be the primitive one
   * @return null if such a thing cannot be protected so
   */
  static Protected of(Class<?> type, Variable variable) {
    Class<?> primitive = MethodType.methodType(type).unwrap().returnType();
    if (primitive.isPrimitive()) {
      return new ProtectedScalar(primitive, variable);
    }
    if (type == Buf.class) {
      return new ProtectedBuf(variable);
    }
    return ProtectedArray.accepts(type) ? new ProtectedArray(type, variable) : null;
  }
}
