// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import org.kintsugi.mpi.internal.Access;
import org.kintsugi.mpi.internal.layout.ElementCopy;
import org.kintsugi.mpi.internal.layout.Sizes;
import org.kintsugi.mpi.internal.lifetime.Rejections;
import org.kintsugi.mpi.internal.memory.Allocation;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.mpi.internal.threads.CallingThread;

/**
 * Data that MPI sends from or receives into: memory that knows its count and its datatype.
 *
 * <p>Four kinds, one type:
 *
 * <ul>
 *   <li>{@code Buf.allocateDoubles(n)} and similar methods allocate off-heap memory (zeroed). MPI works
 *       on it directly: this is the fastest kind.
 *   <li>{@code Buf.wrap(directBuffer)} is a view of a direct NIO buffer, from its position to its
 *       limit: zero copy.
 *   <li>{@code Buf.wrap(array, offset, length)} is a view of a Java array, which is shared. Each
 *       operation copies through a native block of the message's size, so that no message delays
 *       the garbage collector. (MPI itself copies a large message into the array if the message
 *       comes from the same node and a blocking receive waits for it.) Use off-heap memory where a
 *       node has no room for two copies of a message.
 *   <li>{@code Buf.copyOf(values)} has an array of its own, for a few values that are sent. Read
 *       received values from the buffer ({@link #getInt} and similar methods). For a single number,
 *       {@link Comm#bcast(int, int)}, {@link Comm#allReduce(int, Op)} and similar methods need no
 *       buffer.
 * </ul>
 *
 * <p>Counts and indices are in elements, and {@code long}. {@link #slice} makes a view of a part
 * without copying. Memory is freed by {@link #close()}, at the latest when the last {@code Buf}
 * over it is unreachable. A blocking call keeps the memory of its buffers until it returns, and a
 * {@link Request} until it completes, even if they are closed meanwhile (by another thread, or by a
 * rollback). Not synchronized: writing while MPI reads has the same result as in C.
 */
public final class Buf extends BufElements implements AutoCloseable {
  static {
    Access.Provided.provide(new BufInternals());
  }

  private final boolean isWhole; // owns a whole Allocation: closing a view of a part does nothing
  private final long count;
  private final Datatype type;

  private Buf(Object owner, long address, boolean onHeap, long count, Datatype type, long limitBytes) {
    this(owner, false, address, onHeap, count, type, limitBytes);
  }

  private Buf(Object owner, boolean isWhole, long address, boolean onHeap, long count, Datatype type, long limitBytes) {
    super(owner, address, onHeap, limitBytes);
    this.isWhole = isWhole;
    this.count = count;
    this.type = type;
  }

  private static Buf allocate(long count, Datatype type) {
    if (count < 0) {
      throw Rejections.argument("count " + count + " is negative");
    }
    long bytes = Sizes.product(count, type.extent());
    long address = Memory.allocate(bytes);
    Memory.clear(address, bytes);
    return new Buf(new Allocation(address), true, address, false, count, type, bytes);
  }

  /** Bytes whose contents are not defined. */
  static Buf uncleared(long bytes) {
    long address = Memory.allocate(bytes);
    return new Buf(new Allocation(address), true, address, false, bytes, Datatype.BYTE, bytes);
  }

  /** Memory that other code frees, valid during a callback only. */
  static Buf borrowed(long address, long count, Datatype type) {
    return new Buf(null, address, false, count, type, Math.max(type.span(count), count * type.extent()));
  }

  private static Buf array(Object array, int length, int offset, int count, Datatype type) {
    if (offset < 0 || count < 0 || offset > length - count) {
      throw Rejections.argument(
          "offset " + offset + " and count " + count + " do not fit an array of " + length + " elements");
    }
    long base = Memory.arrayBase(array.getClass()) + offset * type.extent();
    return new Buf(array, base, true, count, type, count * type.extent());
  }

  private static Buf direct(Buffer buffer, boolean nativeOrder, Datatype type) {
    if (!Rejections.requireNonNull(buffer, "buffer").isDirect()) {
      throw Rejections.argument(
          "buffer is not direct: use ByteBuffer.allocateDirect, or Buf.wrap(buffer.array(), offset, length)");
    }
    if (buffer.isReadOnly()) {
      throw Rejections.argument("buffer is read-only: MPI may write to it");
    }
    if (!nativeOrder) {
      throw Rejections.argument("buffer's byte order is not the native one: call order(ByteOrder.nativeOrder())");
    }
    long address = Memory.addressOf(buffer) + buffer.position() * type.extent();
    return new Buf(buffer, address, false, buffer.remaining(), type, buffer.remaining() * type.extent());
  }

  /**
   * Allocates off-heap memory for {@code byte} values, all zero; the caller closes it.
   *
   * @param count how many elements
   * @return that number of elements of memory that MPI works on directly
   * @throws IllegalArgumentException if the count is negative
   */
  public static Buf allocateBytes(long count) {
    return allocate(count, Datatype.BYTE);
  }

  /**
   * The name until November 2026 of {@link #allocateBytes}, for programs of that time.
   *
   * @param count how many elements
   * @return as {@link #allocateBytes}
   * @deprecated it reads as if {@code count} were a value: use {@link #allocateBytes}, or {@code copyOf} for values
   */
  @Deprecated(since = "0.1.0", forRemoval = true)
  public static Buf ofBytes(long count) {
    return allocateBytes(count);
  }

  /**
   * A view of a whole array, which is shared: MPI receives into the array.
   *
   * @param array the elements; it stays the caller's
   * @return a view of it; closing it does nothing
   */
  public static Buf wrap(byte[] array) {
    return wrap(array, 0, Rejections.requireNonNull(array, "array").length);
  }

  /**
   * A view of a part of an array. The array is shared: MPI receives into it.
   *
   * @param array the elements; it stays the caller's
   * @param offset the array's element that the buffer begins with
   * @param count how many elements
   * @return a view of them; closing it does nothing
   * @throws IllegalArgumentException if the array has no such part
   */
  public static Buf wrap(byte[] array, int offset, int count) {
    return array(array, Rejections.requireNonNull(array, "array").length, offset, count, Datatype.BYTE);
  }

  /**
   * A view of a direct buffer, from its position to its limit. The memory is shared: zero copy.
   *
   * @param buffer the elements; it stays the caller's, and its position and limit are neither changed nor followed later
   * @return a view of it; closing it does nothing
   * @throws IllegalArgumentException if it is not direct or read-only
   */
  public static Buf wrap(ByteBuffer buffer) {
    return direct(buffer, true, Datatype.BYTE);
  }

  /**
   * A buffer with a copy of these values on the Java heap, for sending. Data that MPI receives into
   * it does not change the variables or the array that the values come from; {@link #wrap(byte[])}
   * is for that.
   *
   * @param values the elements, which are copied
   * @return a buffer of these elements; there is no need to close it
   */
  public static Buf copyOf(byte... values) {
    return wrap(Rejections.requireNonNull(values, "values").clone());
  }

  /**
   * Allocates off-heap memory for {@code short} values, all zero; the caller closes it.
   *
   * @param count how many elements
   * @return that number of elements of memory that MPI works on directly
   * @throws IllegalArgumentException if the count is negative
   */
  public static Buf allocateShorts(long count) {
    return allocate(count, Datatype.SHORT);
  }

  /**
   * The name until November 2026 of {@link #allocateShorts}, for programs of that time.
   *
   * @param count how many elements
   * @return as {@link #allocateShorts}
   * @deprecated it reads as if {@code count} were a value: use {@link #allocateShorts}, or {@code copyOf} for values
   */
  @Deprecated(since = "0.1.0", forRemoval = true)
  public static Buf ofShorts(long count) {
    return allocateShorts(count);
  }

  /**
   * A view of a whole array, which is shared: MPI receives into the array.
   *
   * @param array the elements; it stays the caller's
   * @return a view of it; closing it does nothing
   */
  public static Buf wrap(short[] array) {
    return wrap(array, 0, Rejections.requireNonNull(array, "array").length);
  }

  /**
   * A view of a part of an array. The array is shared: MPI receives into it.
   *
   * @param array the elements; it stays the caller's
   * @param offset the array's element that the buffer begins with
   * @param count how many elements
   * @return a view of them; closing it does nothing
   * @throws IllegalArgumentException if the array has no such part
   */
  public static Buf wrap(short[] array, int offset, int count) {
    return array(array, Rejections.requireNonNull(array, "array").length, offset, count, Datatype.SHORT);
  }

  /**
   * A view of a direct buffer, from its position to its limit. The memory is shared: zero copy.
   *
   * @param buffer the elements; it stays the caller's, and its position and limit are neither changed nor followed later
   * @return a view of it; closing it does nothing
   * @throws IllegalArgumentException if it is not direct, is read-only or has another byte order than the machine
   */
  public static Buf wrap(ShortBuffer buffer) {
    return direct(buffer, buffer == null || buffer.order() == ByteOrder.nativeOrder(), Datatype.SHORT);
  }

  /**
   * A buffer with a copy of these values on the Java heap, for sending. Data that MPI receives into
   * it does not change the variables or the array that the values come from; {@link #wrap(short[])}
   * is for that.
   *
   * @param values the elements, which are copied
   * @return a buffer of these elements; there is no need to close it
   */
  public static Buf copyOf(short... values) {
    return wrap(Rejections.requireNonNull(values, "values").clone());
  }

  /**
   * Allocates off-heap memory for {@code char} values, all zero; the caller closes it.
   *
   * @param count how many elements
   * @return that number of elements of memory that MPI works on directly
   * @throws IllegalArgumentException if the count is negative
   */
  public static Buf allocateChars(long count) {
    return allocate(count, Datatype.CHAR);
  }

  /**
   * The name until November 2026 of {@link #allocateChars}, for programs of that time.
   *
   * @param count how many elements
   * @return as {@link #allocateChars}
   * @deprecated it reads as if {@code count} were a value: use {@link #allocateChars}, or {@code copyOf} for values
   */
  @Deprecated(since = "0.1.0", forRemoval = true)
  public static Buf ofChars(long count) {
    return allocateChars(count);
  }

  /**
   * A view of a whole array, which is shared: MPI receives into the array.
   *
   * @param array the elements; it stays the caller's
   * @return a view of it; closing it does nothing
   */
  public static Buf wrap(char[] array) {
    return wrap(array, 0, Rejections.requireNonNull(array, "array").length);
  }

  /**
   * A view of a part of an array. The array is shared: MPI receives into it.
   *
   * @param array the elements; it stays the caller's
   * @param offset the array's element that the buffer begins with
   * @param count how many elements
   * @return a view of them; closing it does nothing
   * @throws IllegalArgumentException if the array has no such part
   */
  public static Buf wrap(char[] array, int offset, int count) {
    return array(array, Rejections.requireNonNull(array, "array").length, offset, count, Datatype.CHAR);
  }

  /**
   * A view of a direct buffer, from its position to its limit. The memory is shared: zero copy.
   *
   * @param buffer the elements; it stays the caller's, and its position and limit are neither changed nor followed later
   * @return a view of it; closing it does nothing
   * @throws IllegalArgumentException if it is not direct, is read-only or has another byte order than the machine
   */
  public static Buf wrap(CharBuffer buffer) {
    return direct(buffer, buffer == null || buffer.order() == ByteOrder.nativeOrder(), Datatype.CHAR);
  }

  /**
   * A buffer with a copy of these values on the Java heap, for sending. Data that MPI receives into
   * it does not change the variables or the array that the values come from; {@link #wrap(char[])}
   * is for that.
   *
   * @param values the elements, which are copied
   * @return a buffer of these elements; there is no need to close it
   */
  public static Buf copyOf(char... values) {
    return wrap(Rejections.requireNonNull(values, "values").clone());
  }

  /**
   * Allocates off-heap memory for {@code int} values, all zero; the caller closes it.
   *
   * @param count how many elements
   * @return that number of elements of memory that MPI works on directly
   * @throws IllegalArgumentException if the count is negative
   */
  public static Buf allocateInts(long count) {
    return allocate(count, Datatype.INT);
  }

  /**
   * The name until November 2026 of {@link #allocateInts}, for programs of that time.
   *
   * @param count how many elements
   * @return as {@link #allocateInts}
   * @deprecated it reads as if {@code count} were a value: use {@link #allocateInts}, or {@code copyOf} for values
   */
  @Deprecated(since = "0.1.0", forRemoval = true)
  public static Buf ofInts(long count) {
    return allocateInts(count);
  }

  /**
   * A view of a whole array, which is shared: MPI receives into the array.
   *
   * @param array the elements; it stays the caller's
   * @return a view of it; closing it does nothing
   */
  public static Buf wrap(int[] array) {
    return wrap(array, 0, Rejections.requireNonNull(array, "array").length);
  }

  /**
   * A view of a part of an array. The array is shared: MPI receives into it.
   *
   * @param array the elements; it stays the caller's
   * @param offset the array's element that the buffer begins with
   * @param count how many elements
   * @return a view of them; closing it does nothing
   * @throws IllegalArgumentException if the array has no such part
   */
  public static Buf wrap(int[] array, int offset, int count) {
    return array(array, Rejections.requireNonNull(array, "array").length, offset, count, Datatype.INT);
  }

  /**
   * A view of a direct buffer, from its position to its limit. The memory is shared: zero copy.
   *
   * @param buffer the elements; it stays the caller's, and its position and limit are neither changed nor followed later
   * @return a view of it; closing it does nothing
   * @throws IllegalArgumentException if it is not direct, is read-only or has another byte order than the machine
   */
  public static Buf wrap(IntBuffer buffer) {
    return direct(buffer, buffer == null || buffer.order() == ByteOrder.nativeOrder(), Datatype.INT);
  }

  /**
   * A buffer with a copy of these values on the Java heap, for sending. Data that MPI receives into
   * it does not change the variables or the array that the values come from; {@link #wrap(int[])}
   * is for that.
   *
   * @param values the elements, which are copied
   * @return a buffer of these elements; there is no need to close it
   */
  public static Buf copyOf(int... values) {
    return wrap(Rejections.requireNonNull(values, "values").clone());
  }

  /**
   * Allocates off-heap memory for {@code long} values, all zero; the caller closes it.
   *
   * @param count how many elements
   * @return that number of elements of memory that MPI works on directly
   * @throws IllegalArgumentException if the count is negative
   */
  public static Buf allocateLongs(long count) {
    return allocate(count, Datatype.LONG);
  }

  /**
   * The name until November 2026 of {@link #allocateLongs}, for programs of that time.
   *
   * @param count how many elements
   * @return as {@link #allocateLongs}
   * @deprecated it reads as if {@code count} were a value: use {@link #allocateLongs}, or {@code copyOf} for values
   */
  @Deprecated(since = "0.1.0", forRemoval = true)
  public static Buf ofLongs(long count) {
    return allocateLongs(count);
  }

  /**
   * A view of a whole array, which is shared: MPI receives into the array.
   *
   * @param array the elements; it stays the caller's
   * @return a view of it; closing it does nothing
   */
  public static Buf wrap(long[] array) {
    return wrap(array, 0, Rejections.requireNonNull(array, "array").length);
  }

  /**
   * A view of a part of an array. The array is shared: MPI receives into it.
   *
   * @param array the elements; it stays the caller's
   * @param offset the array's element that the buffer begins with
   * @param count how many elements
   * @return a view of them; closing it does nothing
   * @throws IllegalArgumentException if the array has no such part
   */
  public static Buf wrap(long[] array, int offset, int count) {
    return array(array, Rejections.requireNonNull(array, "array").length, offset, count, Datatype.LONG);
  }

  /**
   * A view of a direct buffer, from its position to its limit. The memory is shared: zero copy.
   *
   * @param buffer the elements; it stays the caller's, and its position and limit are neither changed nor followed later
   * @return a view of it; closing it does nothing
   * @throws IllegalArgumentException if it is not direct, is read-only or has another byte order than the machine
   */
  public static Buf wrap(LongBuffer buffer) {
    return direct(buffer, buffer == null || buffer.order() == ByteOrder.nativeOrder(), Datatype.LONG);
  }

  /**
   * A buffer with a copy of these values on the Java heap, for sending. Data that MPI receives into
   * it does not change the variables or the array that the values come from; {@link #wrap(long[])}
   * is for that.
   *
   * @param values the elements, which are copied
   * @return a buffer of these elements; there is no need to close it
   */
  public static Buf copyOf(long... values) {
    return wrap(Rejections.requireNonNull(values, "values").clone());
  }

  /**
   * Allocates off-heap memory for {@code float} values, all zero; the caller closes it.
   *
   * @param count how many elements
   * @return that number of elements of memory that MPI works on directly
   * @throws IllegalArgumentException if the count is negative
   */
  public static Buf allocateFloats(long count) {
    return allocate(count, Datatype.FLOAT);
  }

  /**
   * The name until November 2026 of {@link #allocateFloats}, for programs of that time.
   *
   * @param count how many elements
   * @return as {@link #allocateFloats}
   * @deprecated it reads as if {@code count} were a value: use {@link #allocateFloats}, or {@code copyOf} for values
   */
  @Deprecated(since = "0.1.0", forRemoval = true)
  public static Buf ofFloats(long count) {
    return allocateFloats(count);
  }

  /**
   * A view of a whole array, which is shared: MPI receives into the array.
   *
   * @param array the elements; it stays the caller's
   * @return a view of it; closing it does nothing
   */
  public static Buf wrap(float[] array) {
    return wrap(array, 0, Rejections.requireNonNull(array, "array").length);
  }

  /**
   * A view of a part of an array. The array is shared: MPI receives into it.
   *
   * @param array the elements; it stays the caller's
   * @param offset the array's element that the buffer begins with
   * @param count how many elements
   * @return a view of them; closing it does nothing
   * @throws IllegalArgumentException if the array has no such part
   */
  public static Buf wrap(float[] array, int offset, int count) {
    return array(array, Rejections.requireNonNull(array, "array").length, offset, count, Datatype.FLOAT);
  }

  /**
   * A view of a direct buffer, from its position to its limit. The memory is shared: zero copy.
   *
   * @param buffer the elements; it stays the caller's, and its position and limit are neither changed nor followed later
   * @return a view of it; closing it does nothing
   * @throws IllegalArgumentException if it is not direct, is read-only or has another byte order than the machine
   */
  public static Buf wrap(FloatBuffer buffer) {
    return direct(buffer, buffer == null || buffer.order() == ByteOrder.nativeOrder(), Datatype.FLOAT);
  }

  /**
   * A buffer with a copy of these values on the Java heap, for sending. Data that MPI receives into
   * it does not change the variables or the array that the values come from; {@link #wrap(float[])}
   * is for that.
   *
   * @param values the elements, which are copied
   * @return a buffer of these elements; there is no need to close it
   */
  public static Buf copyOf(float... values) {
    return wrap(Rejections.requireNonNull(values, "values").clone());
  }

  /**
   * Allocates off-heap memory for {@code double} values, all zero; the caller closes it.
   *
   * @param count how many elements
   * @return that number of elements of memory that MPI works on directly
   * @throws IllegalArgumentException if the count is negative
   */
  public static Buf allocateDoubles(long count) {
    return allocate(count, Datatype.DOUBLE);
  }

  /**
   * The name until November 2026 of {@link #allocateDoubles}, for programs of that time.
   *
   * @param count how many elements
   * @return as {@link #allocateDoubles}
   * @deprecated it reads as if {@code count} were a value: use {@link #allocateDoubles}, or {@code copyOf} for values
   */
  @Deprecated(since = "0.1.0", forRemoval = true)
  public static Buf ofDoubles(long count) {
    return allocateDoubles(count);
  }

  /**
   * A view of a whole array, which is shared: MPI receives into the array.
   *
   * @param array the elements; it stays the caller's
   * @return a view of it; closing it does nothing
   */
  public static Buf wrap(double[] array) {
    return wrap(array, 0, Rejections.requireNonNull(array, "array").length);
  }

  /**
   * A view of a part of an array. The array is shared: MPI receives into it.
   *
   * @param array the elements; it stays the caller's
   * @param offset the array's element that the buffer begins with
   * @param count how many elements
   * @return a view of them; closing it does nothing
   * @throws IllegalArgumentException if the array has no such part
   */
  public static Buf wrap(double[] array, int offset, int count) {
    return array(array, Rejections.requireNonNull(array, "array").length, offset, count, Datatype.DOUBLE);
  }

  /**
   * A view of a direct buffer, from its position to its limit. The memory is shared: zero copy.
   *
   * @param buffer the elements; it stays the caller's, and its position and limit are neither changed nor followed later
   * @return a view of it; closing it does nothing
   * @throws IllegalArgumentException if it is not direct, is read-only or has another byte order than the machine
   */
  public static Buf wrap(DoubleBuffer buffer) {
    return direct(buffer, buffer == null || buffer.order() == ByteOrder.nativeOrder(), Datatype.DOUBLE);
  }

  /**
   * A buffer with a copy of these values on the Java heap, for sending. Data that MPI receives into
   * it does not change the variables or the array that the values come from;
   * {@link #wrap(double[])} is for that.
   *
   * @param values the elements, which are copied
   * @return a buffer of these elements; there is no need to close it
   */
  public static Buf copyOf(double... values) {
    return wrap(Rejections.requireNonNull(values, "values").clone());
  }

  /** @return this */
  Buf requireOpen(String argument) {
    checkOpen(argument);
    return this;
  }

  /**
   * How many elements of {@link #datatype()} this is.
   *
   * @return elements, not bytes
   */
  public long count() {
    return count;
  }

  /**
   * The type of its elements.
   *
   * @return for instance {@link Datatype#INT}; that of {@link #as} is the caller's to close
   */
  public Datatype datatype() {
    return type;
  }

  /**
   * Its length in bytes, from the first element to the end of the last.
   *
   * @return its length, gaps between elements included
   */
  public long bytes() {
    return limitBytes;
  }

  /**
   * Whether this is a view of a Java array rather than memory that MPI can work on directly.
   *
   * @return false if it has an address
   */
  public boolean isArray() {
    return onHeap;
  }

  /**
   * A part of this buffer, without copying; closing it does nothing.
   *
   * @param offset the first element
   * @param count how many elements
   * @return a view of the same memory
   * @throws IllegalArgumentException if the buffer has no such part
   */
  public Buf slice(long offset, long count) {
    if (offset < 0 || count < 0 || offset > this.count - count) {
      throw Rejections.argument(
          "offset " + offset + " and count " + count + " do not fit a buffer of " + this.count + " elements");
    }
    long skip = offset * type.extent();
    long left = Math.max(limitBytes - skip, 0); // the last element may lack its padding
    boolean toTheEnd = offset + count == this.count;
    // Elements may overlap, like the columns of a matrix: the span is the bytes that they touch.
    return new Buf(owner, address + skip, onHeap, count, type, toTheEnd ? left : Math.min(left, type.span(count)));
  }

  /**
   * A view of the same memory as elements of another datatype. For instance a column of a matrix as
   * a vector type. Elements with gaps are copied to a block without gaps by each operation, wherever
   * they are.
   *
   * @param datatype the datatype of the new view's elements; it stays the caller's
   * @param count how many elements
   * @return a view of the same memory, from its first byte on
   * @throws IllegalArgumentException if that many elements reach beyond this buffer
   */
  public Buf as(Datatype datatype, long count) {
    if (count < 0) {
      throw Rejections.argument("count " + count + " is negative");
    }
    long needed = Rejections.requireNonNull(datatype, "datatype").span(count);
    if (needed > limitBytes) {
      throw Rejections.argument(count + " elements of " + datatype + " need " + needed
          + " bytes, and the buffer has " + limitBytes);
    }
    return new Buf(owner, address, onHeap, count, datatype, limitBytes);
  }

  /**
   * The address of the first element, for the raw bindings. Valid until {@link #close()}, and only
   * while this object is reachable.
   *
   * @return the address in this process's memory
   * @throws IllegalStateException if it is closed or a view of an array, which has no fixed address
   */
  public long address() {
    checkOpen();
    if (onHeap) {
      throw Rejections.state("a view of a Java array has no address: use Buf.allocate" + type + "s or a direct buffer");
    }
    return address;
  }

  /** The base of {@link #offset}, in the Unsafe sense: the array, or null for an address. */
  Object base() {
    checkOpen();
    return onHeap ? owner : null;
  }

  long offset() {
    checkOpen();
    return address;
  }

  /** Keeps its memory for an operation of MPI, even if it is closed meanwhile. @return the address */
  long pin() {
    if (owner instanceof Allocation) {
      Allocation block = (Allocation) owner;
      if (!(CallingThread.isOne() ? block.pinByOne() : block.pin())) {
        throw Rejections.state("buffer is closed");
      }
    }
    return address;
  }

  /** The address of memory that is pinned, and not on the heap, even if the program has closed it. */
  long at() {
    return address;
  }

  /** The counterpart of {@link #pin}. */
  void unpin() {
    if (owner instanceof Allocation) {
      Allocation block = (Allocation) owner;
      if (CallingThread.isOne()) {
        block.unpinByOne();
      } else {
        block.unpin();
      }
    }
  }

  /**
   * Whether both are the same elements of the same memory. Then an operation works in place. Either
   * may be null. Buffers without elements are never the same: nothing can be overwritten.
   */
  static boolean areSame(Buf first, Buf second) {
    return first != null && first.count > 0
        && (first == second || second != null && first.address == second.address && first.count == second.count
            && first.type.isLaidOutAs(second.type) && first.heapOwner() == second.heapOwner());
  }

  /** Whether there are data: elements, of a datatype that has any. */
  boolean hasData() {
    return count > 0 && type.size() > 0;
  }

  /** Whether both are off-heap memory that begins at one address. */
  boolean beginsAt(Buf other) {
    return !onHeap && !other.onHeap && address == other.address;
  }

  private Object heapOwner() {
    return onHeap ? owner : null;
  }

  /**
   * Whether elements of two buffers certainly have bytes in common. It compares the first
   * {@code elements} of this with the first {@code others} of the other. Elements with gaps may be
   * in each other's gaps, like the columns of a matrix: two such buffers certainly overlap only if
   * they share a whole element.
   */
  boolean overlaps(long elements, Buf other, long others) {
    if (heapOwner() != other.heapOwner() || elements <= 0 || others <= 0 || type.size() == 0 || other.type.size() == 0
        || address >= other.address + others * other.type.extent() || other.address >= address + elements * type.extent()) {
      return false;
    }
    return type.isDense() && other.type.isDense()
        || type.isLaidOutAs(other.type) && (address - other.address) % type.extent() == 0;
  }

  /** All its memory, whatever its elements are. */
  Buf asBytes() {
    return new Buf(owner, address, onHeap, limitBytes, Datatype.BYTE, limitBytes);
  }

  /**
   * Whether operations work on a block with its data instead of its own memory: on an array, or
   * where the data are not one run of bytes.
   */
  boolean isStaged() {
    return onHeap || !type.isContiguous();
  }

  /** Bytes from the first element to the end of the last one's data. */
  long spanBytes() {
    return type.span(count);
  }

  /** Bytes of data in {@code elements} of its elements, as in a message. */
  long dataBytes(long elements) {
    return elements * type.size();
  }

  // Operations keep the memory of buffers that the program closes meanwhile, so the copies that
  // follow do not ask whether the buffer is open.

  private ElementCopy copy(long block, boolean toElements, boolean isPacked, long bytes) {
    return new ElementCopy(onHeap ? owner : null, address, block, toElements, isPacked, bytes);
  }

  /** Copies the data of all elements to a block of {@link #dataBytes}, without gaps, as in a message. */
  void pack(long block) {
    pack(0, count, block);
  }

  /** As {@link #pack(long)}, for some of the elements. */
  void pack(long first, long elements, long block) {
    if (type.isContiguous()) {
      Memory.copyAny(onHeap ? owner : null, address + first * type.extent(), null, block, dataBytes(elements));
    } else {
      packAt(first * type.extent(), type, elements, block);
    }
  }

  /** Packs elements of another datatype, from a byte of this buffer on. */
  void packAt(long atBytes, Datatype elementType, long elements, long block) {
    elementType.copy(copy(block, false, true, elements * elementType.size()), atBytes, elements);
  }

  /**
   * The counterpart of {@link #pack(long, long, long)}. Gaps, and elements without data, stay
   * unchanged.
   *
   * @param bytes the number of bytes of data, in the order of the type map
   */
  void unpack(long block, long first, long elements, long bytes) {
    if (type.isContiguous()) {
      Memory.copyAny(null, block, onHeap ? owner : null, address + first * type.extent(), bytes);
    } else {
      type.copy(copy(block, true, true, bytes), first * type.extent(), elements);
    }
  }

  /** The counterpart of {@link #packAt}. */
  void unpackAt(long block, long atBytes, Datatype elementType, long elements) {
    elementType.copy(copy(block, true, true, elements * elementType.size()), atBytes, elements);
  }

  /** Copies its elements and the gaps between them to a block of {@link #spanBytes}. */
  void copySpan(long block) {
    Memory.copyAny(onHeap ? owner : null, address, null, block, spanBytes());
  }

  /** Copies data of the first elements from a block with the layout of {@link #copySpan}. Gaps stay unchanged. */
  void copyElements(long block, long elements) {
    type.copy(copy(block, true, false, dataBytes(elements)), 0, elements);
  }

  /**
   * Frees memory that this object allocated. On a view of other memory it does nothing. Memory that
   * MPI is still working on is freed when the call or its {@link Request} is over. Idempotent.
   */
  @Override
  public void close() {
    if (isWhole) {
      ((Allocation) owner).close();
    }
  }

  @Override
  public String toString() {
    return "Buf[" + count + " x " + type + (onHeap ? ", array" : "") + "]";
  }
}
