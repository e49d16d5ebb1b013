// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.calls;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.BitSet;
import java.util.Locale;
import java.util.SplittableRandom;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Datatype;

/**
 * Memory of one rank in one call: a Java array, off-heap memory of a {@link Buf}, or a direct NIO buffer. Every rank plans the
 * areas of all ranks; only its own ones become memory ({@link #allocate}).
 */
final class Area {
  /** What it is. */
  enum Kind {
    ARRAY,
    OFF_HEAP,
    DIRECT
  }

  final Kind kind;
  final Basic element;
  /** Bytes that an operation reads or writes. */
  final BitSet used = new BitSet();
  private int length;

  private Object array;
  private Buf memory; // off-heap
  private ByteBuffer direct;

  Area(SplittableRandom random, boolean mayBeArray) {
    int pick = random.nextInt(10);
    kind = pick < 6 && mayBeArray ? Kind.ARRAY : pick < 9 ? Kind.OFF_HEAP : Kind.DIRECT;
    element = Basic.values()[random.nextInt(Basic.values().length)];
  }

  /** In bytes: whole elements. */
  int length() {
    return length;
  }

  /** Makes it long enough. */
  void cover(int end) {
    length = Math.max(length, (end + element.bytes - 1) / element.bytes * element.bytes);
  }

  void allocate() {
    int elements = length / element.bytes;
    if (kind == Kind.DIRECT) {
      direct = ByteBuffer.allocateDirect(length).order(ByteOrder.nativeOrder());
      memory = Buf.wrap(direct);
    } else if (kind == Kind.OFF_HEAP) {
      memory = switch (element) {
        case BYTE -> Buf.allocateBytes(elements);
        case SHORT -> Buf.allocateShorts(elements);
        case CHAR -> Buf.allocateChars(elements);
        case INT -> Buf.allocateInts(elements);
        case LONG -> Buf.allocateLongs(elements);
        case FLOAT -> Buf.allocateFloats(elements);
        case DOUBLE -> Buf.allocateDoubles(elements);
      };
    } else {
      array = switch (element) {
        case BYTE -> new byte[elements];
        case SHORT -> new short[elements];
        case CHAR -> new char[elements];
        case INT -> new int[elements];
        case LONG -> new long[elements];
        case FLOAT -> new float[elements];
        case DOUBLE -> new double[elements];
      };
    }
  }

  void free() {
    if (memory != null) {
      memory.close();
    }
  }

  /**
   * A new view.
   *
   * @param offset in bytes: whole elements
   * @param bytes that the view has at least; -1: up to the area's end
   */
  Buf view(int offset, int bytes) {
    int from = offset / element.bytes;
    int count = (bytes < 0 ? length - offset : bytes + element.bytes - 1) / element.bytes;
    if (kind == Kind.DIRECT) {
      ByteBuffer part = direct.duplicate().order(ByteOrder.nativeOrder());
      part.position(offset).limit(offset + count * element.bytes);
      Buf view = Buf.wrap(part);
      return element == Basic.BYTE ? view : view.as(element.type, count);
    }
    if (kind == Kind.OFF_HEAP) {
      return memory.slice(from, count);
    }
    return switch (element) {
      case BYTE -> Buf.wrap((byte[]) array, from, count);
      case SHORT -> Buf.wrap((short[]) array, from, count);
      case CHAR -> Buf.wrap((char[]) array, from, count);
      case INT -> Buf.wrap((int[]) array, from, count);
      case LONG -> Buf.wrap((long[]) array, from, count);
      case FLOAT -> Buf.wrap((float[]) array, from, count);
      case DOUBLE -> Buf.wrap((double[]) array, from, count);
    };
  }

  private static ByteBuffer of(byte[] image) {
    return ByteBuffer.wrap(image).order(ByteOrder.nativeOrder());
  }

  /** Writes some of its elements. */
  void write(byte[] image, int firstElement, int elements) {
    if (array == null) {
      int from = firstElement * element.bytes;
      if (kind == Kind.DIRECT) {
        direct.put(from, image, from, elements * element.bytes);
      } else {
        memory.as(Datatype.BYTE, length).put(from, image, from, elements * element.bytes);
      }
      return;
    }
    switch (element) {
      case BYTE -> System.arraycopy(image, firstElement, (byte[]) array, firstElement, elements);
      case SHORT -> of(image).asShortBuffer().get(firstElement, (short[]) array, firstElement, elements);
      case CHAR -> of(image).asCharBuffer().get(firstElement, (char[]) array, firstElement, elements);
      case INT -> of(image).asIntBuffer().get(firstElement, (int[]) array, firstElement, elements);
      case LONG -> of(image).asLongBuffer().get(firstElement, (long[]) array, firstElement, elements);
      case FLOAT -> of(image).asFloatBuffer().get(firstElement, (float[]) array, firstElement, elements);
      case DOUBLE -> of(image).asDoubleBuffer().get(firstElement, (double[]) array, firstElement, elements);
      default -> throw new AssertionError(element);
    }
  }

  void write(byte[] image) {
    write(image, 0, length / element.bytes);
  }

  byte[] read() {
    byte[] image = new byte[length];
    if (array == null) {
      memory.as(Datatype.BYTE, length).get(0, image, 0, length);
      return image;
    }
    switch (element) {
      case BYTE -> System.arraycopy(array, 0, image, 0, length);
      case SHORT -> of(image).asShortBuffer().put((short[]) array);
      case CHAR -> of(image).asCharBuffer().put((char[]) array);
      case INT -> of(image).asIntBuffer().put((int[]) array);
      case LONG -> of(image).asLongBuffer().put((long[]) array);
      case FLOAT -> of(image).asFloatBuffer().put((float[]) array);
      case DOUBLE -> of(image).asDoubleBuffer().put((double[]) array);
      default -> throw new AssertionError(element);
    }
    return image;
  }

  @Override
  public String toString() {
    return kind == Kind.DIRECT ? "direct " + length + " bytes"
        : (kind == Kind.ARRAY ? "" : "off-heap ") + element.name().toLowerCase(Locale.ROOT) + "["
            + length / element.bytes + "]";
  }
}
