// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.memory;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.Buffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import sun.misc.Unsafe;

/**
 * Raw memory by address, and arrays by offset, for JDK 17 to 21. Only this class uses
 * {@code sun.misc.Unsafe}.
 *
 * <p>It uses Unsafe because on JDK 17 the foreign memory API is an incubator, and a
 * {@code ByteBuffer} is limited to 2 GiB. The version for JDK 22 and newer (src/main/java22) does
 * not use it, and replaces this one in a multi-release jar. If that version was not built, or
 * classes are not in a jar, this one runs on newer JDKs, too. JDK 24 and newer warn about it once;
 * there {@code jmpirun} passes {@code --sun-misc-unsafe-memory-access=allow}.
 */
abstract class RawMemory {
  private static final Unsafe UNSAFE = unsafe();

  /** The machine's page size. */
  public static final int PAGE_BYTES = UNSAFE.pageSize();

  private static final long BUFFER_ADDRESS = offsetOfBufferAddress();

  RawMemory() {}

  private static Unsafe unsafe() {
    try {
      Field field = Unsafe.class.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      return (Unsafe) field.get(null);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("deprecation") // objectFieldOffset: the one way to a direct buffer's address without JNI
  private static long offsetOfBufferAddress() {
    try {
      return UNSAFE.objectFieldOffset(Buffer.class.getDeclaredField("address"));
    } catch (NoSuchFieldException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The memory for {@link Memory#allocate}. */
  static long block(long bytes) {
    return UNSAFE.allocateMemory(Math.max(bytes, 1));
  }

  public static void free(long address) {
    UNSAFE.freeMemory(address);
  }

  public static void clear(long address, long bytes) {
    UNSAFE.setMemory(address, bytes, (byte) 0);
  }

  /** The address of a direct buffer's element 0 (not of its position). */
  public static long addressOf(Buffer direct) {
    return UNSAFE.getLong(direct, BUFFER_ADDRESS);
  }

  /**
   * Maps the beginning of a file.
   *
   * @param bytes the number of bytes, at most 2 GiB
   * @return the mapping; the caller closes it when nothing uses its bytes any more
   */
  public static Mapping map(FileChannel channel, FileChannel.MapMode mode, long bytes) throws IOException {
    MappedByteBuffer mapped = channel.map(mode, 0, bytes);
    return new Mapping(mapped, () -> UNSAFE.invokeCleaner(mapped));
  }

  public static void copy(long from, long to, long bytes) {
    UNSAFE.copyMemory(from, to, bytes);
  }

  /** Copies from an array to an address. {@code offset} includes the array's base offset. */
  public static void copyIn(Object array, long offset, long to, long bytes) {
    UNSAFE.copyMemory(array, offset, null, to, bytes);
  }

  /** Copies from an address to an array. {@code offset} includes the array's base offset. */
  public static void copyOut(long from, Object array, long offset, long bytes) {
    UNSAFE.copyMemory(null, from, array, offset, bytes);
  }

  /**
   * Copies between arrays and addresses. Each side is an array with its offset, or null with an
   * address.
   */
  public static void copyAny(Object from, long fromOffset, Object to, long toOffset, long bytes) {
    UNSAFE.copyMemory(from, fromOffset, to, toOffset, bytes);
  }

  public static int arrayBase(Class<?> arrayClass) {
    return UNSAFE.arrayBaseOffset(arrayClass);
  }

  public static byte getByte(long address) {
    return UNSAFE.getByte(address);
  }

  public static void putByte(long address, byte value) {
    UNSAFE.putByte(address, value);
  }

  public static short getShort(long address) {
    return UNSAFE.getShort(address);
  }

  public static void putShort(long address, short value) {
    UNSAFE.putShort(address, value);
  }

  public static char getChar(long address) {
    return UNSAFE.getChar(address);
  }

  public static void putChar(long address, char value) {
    UNSAFE.putChar(address, value);
  }

  public static int getInt(long address) {
    return UNSAFE.getInt(address);
  }

  public static void putInt(long address, int value) {
    UNSAFE.putInt(address, value);
  }

  public static long getLong(long address) {
    return UNSAFE.getLong(address);
  }

  public static void putLong(long address, long value) {
    UNSAFE.putLong(address, value);
  }

  public static float getFloat(long address) {
    return UNSAFE.getFloat(address);
  }

  public static void putFloat(long address, float value) {
    UNSAFE.putFloat(address, value);
  }

  public static double getDouble(long address) {
    return UNSAFE.getDouble(address);
  }

  public static void putDouble(long address, double value) {
    UNSAFE.putDouble(address, value);
  }

  public static byte heapByte(Object array, long offset) {
    return UNSAFE.getByte(array, offset);
  }

  public static void heapPutByte(Object array, long offset, byte value) {
    UNSAFE.putByte(array, offset, value);
  }

  public static short heapShort(Object array, long offset) {
    return UNSAFE.getShort(array, offset);
  }

  public static void heapPutShort(Object array, long offset, short value) {
    UNSAFE.putShort(array, offset, value);
  }

  public static char heapChar(Object array, long offset) {
    return UNSAFE.getChar(array, offset);
  }

  public static void heapPutChar(Object array, long offset, char value) {
    UNSAFE.putChar(array, offset, value);
  }

  public static int heapInt(Object array, long offset) {
    return UNSAFE.getInt(array, offset);
  }

  public static void heapPutInt(Object array, long offset, int value) {
    UNSAFE.putInt(array, offset, value);
  }

  public static long heapLong(Object array, long offset) {
    return UNSAFE.getLong(array, offset);
  }

  public static void heapPutLong(Object array, long offset, long value) {
    UNSAFE.putLong(array, offset, value);
  }

  public static float heapFloat(Object array, long offset) {
    return UNSAFE.getFloat(array, offset);
  }

  public static void heapPutFloat(Object array, long offset, float value) {
    UNSAFE.putFloat(array, offset, value);
  }

  public static double heapDouble(Object array, long offset) {
    return UNSAFE.getDouble(array, offset);
  }

  public static void heapPutDouble(Object array, long offset, double value) {
    UNSAFE.putDouble(array, offset, value);
  }
}
