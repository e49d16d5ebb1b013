// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.memory;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Raw memory by address, and arrays by offset, for JDK 22 and newer. It uses the foreign memory
 * API. Its methods are described in the version for older JDKs (src/main/java), which uses
 * {@code sun.misc.Unsafe}; later JDKs will remove that.
 */
abstract class RawMemory {
  /** The machine's page size. */
  public static final int PAGE_BYTES = pageBytes();

  // Unaligned, because the program may choose any address.
  private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
  private static final ValueLayout.OfChar CHAR = ValueLayout.JAVA_CHAR_UNALIGNED;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;

  /** All of this process's memory: an address is an offset in it. */
  private static final MemorySegment ALL = all();

  /** The alignment of malloc's blocks. */
  private static final long ALIGNMENT = 16;

  /** Blocks that were allocated before the natives were loaded, by address. */
  private static final Map<Long, Arena> EARLY = new ConcurrentHashMap<>();

  RawMemory() {}

  @SuppressWarnings("restricted") // jmpirun permits it: --enable-native-access
  private static MemorySegment all() {
    return MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
  }

  /** Read from the process's auxiliary vector, because Java has no method for it. */
  private static int pageBytes() {
    final long wanted = 6; // AT_PAGESZ
    try {
      ByteBuffer pairs = ByteBuffer.wrap(Files.readAllBytes(Path.of("/proc/self/auxv"))).order(ByteOrder.nativeOrder());
      while (pairs.remaining() >= 2 * Long.BYTES) {
        long key = pairs.getLong();
        long value = pairs.getLong();
        if (key == wanted) {
          return Math.toIntExact(value);
        }
      }
      throw new IllegalStateException("/proc/self/auxv does not tell the size of a page");
    } catch (IOException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /**
   * The memory for {@link Memory#allocate}. After the natives are loaded it is not from an
   * {@link Arena}, which clears the memory, counts it as the JVM's, and is slow in freeing it.
   * Calling C's malloc by a {@code Linker} would cost each rank 100 ms at its start.
   *
   * @throws OutOfMemoryError if there is not enough memory
   */
  static long block(long bytes) {
    long wanted = Math.max(bytes, 1);
    long address;
    try {
      address = malloc(wanted);
    } catch (UnsatisfiedLinkError notLoaded) {
      Arena arena = Arena.ofShared();
      address = arena.allocate(wanted, ALIGNMENT).address();
      EARLY.put(address, arena);
    }
    if (address == 0) {
      throw new OutOfMemoryError("cannot allocate " + wanted + " bytes outside of the Java heap");
    }
    return address;
  }

  public static void free(long address) {
    Arena arena = EARLY.isEmpty() ? null : EARLY.remove(address);
    if (arena != null) {
      arena.close();
    } else if (address != 0) {
      release(address);
    }
  }

  /** C's malloc, in libkintsugi (native/src/memory.c). */
  private static native long malloc(long bytes);

  /** C's free. */
  private static native void release(long address);

  public static void clear(long address, long bytes) {
    ALL.asSlice(address, bytes).fill((byte) 0);
  }

  public static long addressOf(Buffer direct) {
    // A segment of a buffer begins at its position.
    return MemorySegment.ofBuffer(direct.duplicate().clear()).address();
  }

  public static Mapping map(FileChannel channel, FileChannel.MapMode mode, long bytes) throws IOException {
    Arena arena = Arena.ofShared();
    try {
      return new Mapping(channel.map(mode, 0, bytes, arena).asByteBuffer(), arena::close);
    } catch (IOException | RuntimeException e) {
      arena.close();
      throw e;
    }
  }

  public static void copy(long from, long to, long bytes) {
    MemorySegment.copy(ALL, from, ALL, to, bytes);
  }

  public static void copyIn(Object array, long offset, long to, long bytes) {
    if (array instanceof boolean[] flags) {
      for (int i = 0; i < bytes; i++) {
        putByte(to + i, (byte) (flags[(int) offset + i] ? 1 : 0));
      }
    } else {
      MemorySegment.copy(segment(array), offset, ALL, to, bytes);
    }
  }

  public static void copyOut(long from, Object array, long offset, long bytes) {
    if (array instanceof boolean[] flags) {
      for (int i = 0; i < bytes; i++) {
        flags[(int) offset + i] = getByte(from + i) != 0;
      }
    } else {
      MemorySegment.copy(ALL, from, segment(array), offset, bytes);
    }
  }

  public static void copyAny(Object from, long fromOffset, Object to, long toOffset, long bytes) {
    if (from == null && to == null) {
      copy(fromOffset, toOffset, bytes);
    } else if (from == null) {
      copyOut(fromOffset, to, toOffset, bytes);
    } else if (to == null) {
      copyIn(from, fromOffset, toOffset, bytes);
    } else {
      MemorySegment.copy(segment(from), fromOffset, segment(to), toOffset, bytes);
    }
  }

  /** The base offset is 0: offsets count from the first element. */
  public static int arrayBase(Class<?> arrayClass) {
    if (!arrayClass.isArray()) {
      throw new IllegalArgumentException(arrayClass + " is no class of arrays");
    }
    return 0;
  }

  /**
   * All of an array's bytes. Boolean arrays have no segment: they are copied element by element.
   */
  private static MemorySegment segment(Object array) {
    if (array instanceof double[] doubles) {
      return MemorySegment.ofArray(doubles);
    }
    if (array instanceof byte[] bytes) {
      return MemorySegment.ofArray(bytes);
    }
    if (array instanceof int[] ints) {
      return MemorySegment.ofArray(ints);
    }
    if (array instanceof long[] longs) {
      return MemorySegment.ofArray(longs);
    }
    if (array instanceof float[] floats) {
      return MemorySegment.ofArray(floats);
    }
    if (array instanceof short[] shorts) {
      return MemorySegment.ofArray(shorts);
    }
    if (array instanceof char[] chars) {
      return MemorySegment.ofArray(chars);
    }
    throw new IllegalArgumentException(array.getClass() + " is no class of arrays of numbers");
  }

  public static byte getByte(long address) {
    return ALL.get(ValueLayout.JAVA_BYTE, address);
  }

  public static void putByte(long address, byte value) {
    ALL.set(ValueLayout.JAVA_BYTE, address, value);
  }

  public static short getShort(long address) {
    return ALL.get(SHORT, address);
  }

  public static void putShort(long address, short value) {
    ALL.set(SHORT, address, value);
  }

  public static char getChar(long address) {
    return ALL.get(CHAR, address);
  }

  public static void putChar(long address, char value) {
    ALL.set(CHAR, address, value);
  }

  public static int getInt(long address) {
    return ALL.get(INT, address);
  }

  public static void putInt(long address, int value) {
    ALL.set(INT, address, value);
  }

  public static long getLong(long address) {
    return ALL.get(LONG, address);
  }

  public static void putLong(long address, long value) {
    ALL.set(LONG, address, value);
  }

  public static float getFloat(long address) {
    return ALL.get(FLOAT, address);
  }

  public static void putFloat(long address, float value) {
    ALL.set(FLOAT, address, value);
  }

  public static double getDouble(long address) {
    return ALL.get(DOUBLE, address);
  }

  public static void putDouble(long address, double value) {
    ALL.set(DOUBLE, address, value);
  }

  public static byte heapByte(Object array, long offset) {
    return segment(array).get(ValueLayout.JAVA_BYTE, offset);
  }

  public static void heapPutByte(Object array, long offset, byte value) {
    segment(array).set(ValueLayout.JAVA_BYTE, offset, value);
  }

  public static short heapShort(Object array, long offset) {
    return segment(array).get(SHORT, offset);
  }

  public static void heapPutShort(Object array, long offset, short value) {
    segment(array).set(SHORT, offset, value);
  }

  public static char heapChar(Object array, long offset) {
    return segment(array).get(CHAR, offset);
  }

  public static void heapPutChar(Object array, long offset, char value) {
    segment(array).set(CHAR, offset, value);
  }

  public static int heapInt(Object array, long offset) {
    return segment(array).get(INT, offset);
  }

  public static void heapPutInt(Object array, long offset, int value) {
    segment(array).set(INT, offset, value);
  }

  public static long heapLong(Object array, long offset) {
    return segment(array).get(LONG, offset);
  }

  public static void heapPutLong(Object array, long offset, long value) {
    segment(array).set(LONG, offset, value);
  }

  public static float heapFloat(Object array, long offset) {
    return segment(array).get(FLOAT, offset);
  }

  public static void heapPutFloat(Object array, long offset, float value) {
    segment(array).set(FLOAT, offset, value);
  }

  public static double heapDouble(Object array, long offset) {
    return segment(array).get(DOUBLE, offset);
  }

  public static void heapPutDouble(Object array, long offset, double value) {
    segment(array).set(DOUBLE, offset, value);
  }
}
