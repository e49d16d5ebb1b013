// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import java.util.Objects;
import org.kintsugi.mpi.internal.lifetime.Rejections;
import org.kintsugi.mpi.internal.memory.Allocation;
import org.kintsugi.mpi.internal.memory.Memory;

/**
 * The memory of a {@link Buf}, and access to its elements. They are accessed one by one, or many at
 * once from and to arrays.
 *
 * <p>No public method here is final. Only a method of a public class can be called by reflection:
 * javac adds bridges for non-final methods to {@link Buf}.
 */
abstract class BufElements {
  final Object owner; // Allocation, NIO buffer or Java array: keeps the memory reachable
  final long address; // of element 0; for an array: its offset in the Unsafe sense
  final boolean onHeap;
  final long limitBytes; // what may be touched from address on

  BufElements(Object owner, long address, boolean onHeap, long limitBytes) {
    this.owner = owner;
    this.address = address;
    this.onHeap = onHeap;
    this.limitBytes = limitBytes;
  }

  /**
   * Reads element {@code index} (in units of {@code byte}).
   *
   * @param index from 0 on, in units of {@code byte}, whatever the datatype is
   * @return the value
   * @throws IndexOutOfBoundsException if the memory has no such element
   * @throws IllegalStateException if the buffer is closed
   */
  public byte getByte(long index) {
    long at = locate(index, 1);
    return onHeap ? Memory.heapByte(owner, at) : Memory.getByte(at);
  }

  /**
   * Writes element {@code index} (in units of {@code byte}).
   *
   * @param index from 0 on, in units of {@code byte}, whatever the datatype is
   * @param value the value
   * @throws IndexOutOfBoundsException if the memory has no such element
   * @throws IllegalStateException if the buffer is closed
   */
  public void putByte(long index, byte value) {
    long at = locate(index, 1);
    if (onHeap) {
      Memory.heapPutByte(owner, at, value);
    } else {
      Memory.putByte(at, value);
    }
  }

  /**
   * Reads element {@code index} (in units of {@code short}).
   *
   * @param index from 0 on, in units of {@code short}, whatever the datatype is
   * @return the value
   * @throws IndexOutOfBoundsException if the memory has no such element
   * @throws IllegalStateException if the buffer is closed
   */
  public short getShort(long index) {
    long at = locate(index, 2);
    return onHeap ? Memory.heapShort(owner, at) : Memory.getShort(at);
  }

  /**
   * Writes element {@code index} (in units of {@code short}).
   *
   * @param index from 0 on, in units of {@code short}, whatever the datatype is
   * @param value the value
   * @throws IndexOutOfBoundsException if the memory has no such element
   * @throws IllegalStateException if the buffer is closed
   */
  public void putShort(long index, short value) {
    long at = locate(index, 2);
    if (onHeap) {
      Memory.heapPutShort(owner, at, value);
    } else {
      Memory.putShort(at, value);
    }
  }

  /**
   * Reads element {@code index} (in units of {@code char}).
   *
   * @param index from 0 on, in units of {@code char}, whatever the datatype is
   * @return the value
   * @throws IndexOutOfBoundsException if the memory has no such element
   * @throws IllegalStateException if the buffer is closed
   */
  public char getChar(long index) {
    long at = locate(index, 2);
    return onHeap ? Memory.heapChar(owner, at) : Memory.getChar(at);
  }

  /**
   * Writes element {@code index} (in units of {@code char}).
   *
   * @param index from 0 on, in units of {@code char}, whatever the datatype is
   * @param value the value
   * @throws IndexOutOfBoundsException if the memory has no such element
   * @throws IllegalStateException if the buffer is closed
   */
  public void putChar(long index, char value) {
    long at = locate(index, 2);
    if (onHeap) {
      Memory.heapPutChar(owner, at, value);
    } else {
      Memory.putChar(at, value);
    }
  }

  /**
   * Reads element {@code index} (in units of {@code int}).
   *
   * @param index from 0 on, in units of {@code int}, whatever the datatype is
   * @return the value
   * @throws IndexOutOfBoundsException if the memory has no such element
   * @throws IllegalStateException if the buffer is closed
   */
  public int getInt(long index) {
    long at = locate(index, 4);
    return onHeap ? Memory.heapInt(owner, at) : Memory.getInt(at);
  }

  /**
   * Writes element {@code index} (in units of {@code int}).
   *
   * @param index from 0 on, in units of {@code int}, whatever the datatype is
   * @param value the value
   * @throws IndexOutOfBoundsException if the memory has no such element
   * @throws IllegalStateException if the buffer is closed
   */
  public void putInt(long index, int value) {
    long at = locate(index, 4);
    if (onHeap) {
      Memory.heapPutInt(owner, at, value);
    } else {
      Memory.putInt(at, value);
    }
  }

  /**
   * Reads element {@code index} (in units of {@code long}).
   *
   * @param index from 0 on, in units of {@code long}, whatever the datatype is
   * @return the value
   * @throws IndexOutOfBoundsException if the memory has no such element
   * @throws IllegalStateException if the buffer is closed
   */
  public long getLong(long index) {
    long at = locate(index, 8);
    return onHeap ? Memory.heapLong(owner, at) : Memory.getLong(at);
  }

  /**
   * Writes element {@code index} (in units of {@code long}).
   *
   * @param index from 0 on, in units of {@code long}, whatever the datatype is
   * @param value the value
   * @throws IndexOutOfBoundsException if the memory has no such element
   * @throws IllegalStateException if the buffer is closed
   */
  public void putLong(long index, long value) {
    long at = locate(index, 8);
    if (onHeap) {
      Memory.heapPutLong(owner, at, value);
    } else {
      Memory.putLong(at, value);
    }
  }

  /**
   * Reads element {@code index} (in units of {@code float}).
   *
   * @param index from 0 on, in units of {@code float}, whatever the datatype is
   * @return the value
   * @throws IndexOutOfBoundsException if the memory has no such element
   * @throws IllegalStateException if the buffer is closed
   */
  public float getFloat(long index) {
    long at = locate(index, 4);
    return onHeap ? Memory.heapFloat(owner, at) : Memory.getFloat(at);
  }

  /**
   * Writes element {@code index} (in units of {@code float}).
   *
   * @param index from 0 on, in units of {@code float}, whatever the datatype is
   * @param value the value
   * @throws IndexOutOfBoundsException if the memory has no such element
   * @throws IllegalStateException if the buffer is closed
   */
  public void putFloat(long index, float value) {
    long at = locate(index, 4);
    if (onHeap) {
      Memory.heapPutFloat(owner, at, value);
    } else {
      Memory.putFloat(at, value);
    }
  }

  /**
   * Reads element {@code index} (in units of {@code double}).
   *
   * @param index from 0 on, in units of {@code double}, whatever the datatype is
   * @return the value
   * @throws IndexOutOfBoundsException if the memory has no such element
   * @throws IllegalStateException if the buffer is closed
   */
  public double getDouble(long index) {
    long at = locate(index, 8);
    return onHeap ? Memory.heapDouble(owner, at) : Memory.getDouble(at);
  }

  /**
   * Writes element {@code index} (in units of {@code double}).
   *
   * @param index from 0 on, in units of {@code double}, whatever the datatype is
   * @param value the value
   * @throws IndexOutOfBoundsException if the memory has no such element
   * @throws IllegalStateException if the buffer is closed
   */
  public void putDouble(long index, double value) {
    long at = locate(index, 8);
    if (onHeap) {
      Memory.heapPutDouble(owner, at, value);
    } else {
      Memory.putDouble(at, value);
    }
  }

  /**
   * Copies {@code length} elements of an array into this buffer, from element {@code index} on.
   *
   * @param index the buffer's first element that is written, in units of the array's elements
   * @param array where the values come from; it stays the caller's
   * @param offset the array's first element that is read
   * @param length how many elements
   * @throws IndexOutOfBoundsException if the array or the buffer has no such elements
   * @throws IllegalStateException if the buffer is closed
   */
  public void put(long index, byte[] array, int offset, int length) {
    int bytes = Byte.BYTES;
    Objects.checkFromIndexSize(offset, length, array.length);
    copyIn(array, offset * (long) bytes, index, length, bytes);
  }

  /**
   * Copies {@code length} elements of this buffer into an array, from element {@code index} on.
   *
   * @param index the buffer's first element that is read, in units of the array's elements
   * @param array where the values go
   * @param offset the array's first element that is written
   * @param length how many elements
   * @throws IndexOutOfBoundsException if the array or the buffer has no such elements
   * @throws IllegalStateException if the buffer is closed
   */
  public void get(long index, byte[] array, int offset, int length) {
    int bytes = Byte.BYTES;
    Objects.checkFromIndexSize(offset, length, array.length);
    copyOut(array, offset * (long) bytes, index, length, bytes);
  }

  /**
   * Copies {@code length} elements of an array into this buffer, from element {@code index} on.
   *
   * @param index the buffer's first element that is written, in units of the array's elements
   * @param array where the values come from; it stays the caller's
   * @param offset the array's first element that is read
   * @param length how many elements
   * @throws IndexOutOfBoundsException if the array or the buffer has no such elements
   * @throws IllegalStateException if the buffer is closed
   */
  public void put(long index, short[] array, int offset, int length) {
    int bytes = Short.BYTES;
    Objects.checkFromIndexSize(offset, length, array.length);
    copyIn(array, offset * (long) bytes, index, length, bytes);
  }

  /**
   * Copies {@code length} elements of this buffer into an array, from element {@code index} on.
   *
   * @param index the buffer's first element that is read, in units of the array's elements
   * @param array where the values go
   * @param offset the array's first element that is written
   * @param length how many elements
   * @throws IndexOutOfBoundsException if the array or the buffer has no such elements
   * @throws IllegalStateException if the buffer is closed
   */
  public void get(long index, short[] array, int offset, int length) {
    int bytes = Short.BYTES;
    Objects.checkFromIndexSize(offset, length, array.length);
    copyOut(array, offset * (long) bytes, index, length, bytes);
  }

  /**
   * Copies {@code length} elements of an array into this buffer, from element {@code index} on.
   *
   * @param index the buffer's first element that is written, in units of the array's elements
   * @param array where the values come from; it stays the caller's
   * @param offset the array's first element that is read
   * @param length how many elements
   * @throws IndexOutOfBoundsException if the array or the buffer has no such elements
   * @throws IllegalStateException if the buffer is closed
   */
  public void put(long index, char[] array, int offset, int length) {
    int bytes = Character.BYTES;
    Objects.checkFromIndexSize(offset, length, array.length);
    copyIn(array, offset * (long) bytes, index, length, bytes);
  }

  /**
   * Copies {@code length} elements of this buffer into an array, from element {@code index} on.
   *
   * @param index the buffer's first element that is read, in units of the array's elements
   * @param array where the values go
   * @param offset the array's first element that is written
   * @param length how many elements
   * @throws IndexOutOfBoundsException if the array or the buffer has no such elements
   * @throws IllegalStateException if the buffer is closed
   */
  public void get(long index, char[] array, int offset, int length) {
    int bytes = Character.BYTES;
    Objects.checkFromIndexSize(offset, length, array.length);
    copyOut(array, offset * (long) bytes, index, length, bytes);
  }

  /**
   * Copies {@code length} elements of an array into this buffer, from element {@code index} on.
   *
   * @param index the buffer's first element that is written, in units of the array's elements
   * @param array where the values come from; it stays the caller's
   * @param offset the array's first element that is read
   * @param length how many elements
   * @throws IndexOutOfBoundsException if the array or the buffer has no such elements
   * @throws IllegalStateException if the buffer is closed
   */
  public void put(long index, int[] array, int offset, int length) {
    int bytes = Integer.BYTES;
    Objects.checkFromIndexSize(offset, length, array.length);
    copyIn(array, offset * (long) bytes, index, length, bytes);
  }

  /**
   * Copies {@code length} elements of this buffer into an array, from element {@code index} on.
   *
   * @param index the buffer's first element that is read, in units of the array's elements
   * @param array where the values go
   * @param offset the array's first element that is written
   * @param length how many elements
   * @throws IndexOutOfBoundsException if the array or the buffer has no such elements
   * @throws IllegalStateException if the buffer is closed
   */
  public void get(long index, int[] array, int offset, int length) {
    int bytes = Integer.BYTES;
    Objects.checkFromIndexSize(offset, length, array.length);
    copyOut(array, offset * (long) bytes, index, length, bytes);
  }

  /**
   * Copies {@code length} elements of an array into this buffer, from element {@code index} on.
   *
   * @param index the buffer's first element that is written, in units of the array's elements
   * @param array where the values come from; it stays the caller's
   * @param offset the array's first element that is read
   * @param length how many elements
   * @throws IndexOutOfBoundsException if the array or the buffer has no such elements
   * @throws IllegalStateException if the buffer is closed
   */
  public void put(long index, long[] array, int offset, int length) {
    int bytes = Long.BYTES;
    Objects.checkFromIndexSize(offset, length, array.length);
    copyIn(array, offset * (long) bytes, index, length, bytes);
  }

  /**
   * Copies {@code length} elements of this buffer into an array, from element {@code index} on.
   *
   * @param index the buffer's first element that is read, in units of the array's elements
   * @param array where the values go
   * @param offset the array's first element that is written
   * @param length how many elements
   * @throws IndexOutOfBoundsException if the array or the buffer has no such elements
   * @throws IllegalStateException if the buffer is closed
   */
  public void get(long index, long[] array, int offset, int length) {
    int bytes = Long.BYTES;
    Objects.checkFromIndexSize(offset, length, array.length);
    copyOut(array, offset * (long) bytes, index, length, bytes);
  }

  /**
   * Copies {@code length} elements of an array into this buffer, from element {@code index} on.
   *
   * @param index the buffer's first element that is written, in units of the array's elements
   * @param array where the values come from; it stays the caller's
   * @param offset the array's first element that is read
   * @param length how many elements
   * @throws IndexOutOfBoundsException if the array or the buffer has no such elements
   * @throws IllegalStateException if the buffer is closed
   */
  public void put(long index, float[] array, int offset, int length) {
    int bytes = Float.BYTES;
    Objects.checkFromIndexSize(offset, length, array.length);
    copyIn(array, offset * (long) bytes, index, length, bytes);
  }

  /**
   * Copies {@code length} elements of this buffer into an array, from element {@code index} on.
   *
   * @param index the buffer's first element that is read, in units of the array's elements
   * @param array where the values go
   * @param offset the array's first element that is written
   * @param length how many elements
   * @throws IndexOutOfBoundsException if the array or the buffer has no such elements
   * @throws IllegalStateException if the buffer is closed
   */
  public void get(long index, float[] array, int offset, int length) {
    int bytes = Float.BYTES;
    Objects.checkFromIndexSize(offset, length, array.length);
    copyOut(array, offset * (long) bytes, index, length, bytes);
  }

  /**
   * Copies {@code length} elements of an array into this buffer, from element {@code index} on.
   *
   * @param index the buffer's first element that is written, in units of the array's elements
   * @param array where the values come from; it stays the caller's
   * @param offset the array's first element that is read
   * @param length how many elements
   * @throws IndexOutOfBoundsException if the array or the buffer has no such elements
   * @throws IllegalStateException if the buffer is closed
   */
  public void put(long index, double[] array, int offset, int length) {
    int bytes = Double.BYTES;
    Objects.checkFromIndexSize(offset, length, array.length);
    copyIn(array, offset * (long) bytes, index, length, bytes);
  }

  /**
   * Copies {@code length} elements of this buffer into an array, from element {@code index} on.
   *
   * @param index the buffer's first element that is read, in units of the array's elements
   * @param array where the values go
   * @param offset the array's first element that is written
   * @param length how many elements
   * @throws IndexOutOfBoundsException if the array or the buffer has no such elements
   * @throws IllegalStateException if the buffer is closed
   */
  public void get(long index, double[] array, int offset, int length) {
    int bytes = Double.BYTES;
    Objects.checkFromIndexSize(offset, length, array.length);
    copyOut(array, offset * (long) bytes, index, length, bytes);
  }

  private void copyIn(Object array, long offsetBytes, long index, int length, int bytes) {
    Objects.checkFromIndexSize(index, length, limitBytes / bytes);
    checkOpen();
    Memory.copyAny(array, Memory.arrayBase(array.getClass()) + offsetBytes, onHeap ? owner : null,
        address + index * bytes, (long) length * bytes);
  }

  private void copyOut(Object array, long offsetBytes, long index, int length, int bytes) {
    Objects.checkFromIndexSize(index, length, limitBytes / bytes);
    checkOpen();
    Memory.copyAny(onHeap ? owner : null, address + index * bytes, array,
        Memory.arrayBase(array.getClass()) + offsetBytes, (long) length * bytes);
  }

  private long locate(long index, int bytes) {
    if (index < 0 || index > limitBytes / bytes - 1) {
      throw new IndexOutOfBoundsException(
          "index " + index + " is outside of " + limitBytes / bytes + " elements of " + bytes + " bytes");
    }
    checkOpen();
    return address + index * bytes;
  }

  final void checkOpen() {
    checkOpen("buffer");
  }

  final void checkOpen(String argument) {
    if (owner instanceof Allocation && ((Allocation) owner).isClosed()) {
      throw Rejections.state(argument + " is closed");
    }
  }
}
