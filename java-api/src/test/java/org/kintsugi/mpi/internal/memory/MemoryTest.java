// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The behaviour of both forms of {@link RawMemory}: run on this JVM, and, for the newer form, on a newer one where there is one
 * (java-api/pom.xml).
 */
class MemoryTest {
  private static final int BYTES = 1 << 12;

  private long place;

  @BeforeEach
  void allocate() {
    place = Memory.allocate(BYTES);
    Memory.clear(place, BYTES);
  }

  @AfterEach
  void free() {
    Memory.free(place);
  }

  @Test
  void theFormIsTheOneThatIsToBeTested() {
    // Offsets of arrays count from the object with Unsafe, and from the first element with the foreign memory API.
    assertThat(Memory.arrayBase(byte[].class) == 0).isEqualTo(Boolean.getBoolean("kintsugi.test.foreign.memory"));
  }

  @Test
  void keepsValuesOfEachTypeAtAnyAddress() {
    for (long at = place; at < place + Long.BYTES; at++) {
      Memory.putByte(at, (byte) -7);
      assertThat(Memory.getByte(at)).isEqualTo((byte) -7);
      Memory.putShort(at, (short) -30_000);
      assertThat(Memory.getShort(at)).isEqualTo((short) -30_000);
      Memory.putChar(at, '\uFFFE');
      assertThat(Memory.getChar(at)).isEqualTo('\uFFFE');
      Memory.putInt(at, Integer.MIN_VALUE + 1);
      assertThat(Memory.getInt(at)).isEqualTo(Integer.MIN_VALUE + 1);
      Memory.putLong(at, Long.MIN_VALUE + 1);
      assertThat(Memory.getLong(at)).isEqualTo(Long.MIN_VALUE + 1);
      Memory.putFloat(at, -1.5f);
      assertThat(Memory.getFloat(at)).isEqualTo(-1.5f);
      Memory.putDouble(at, Math.PI);
      assertThat(Memory.getDouble(at)).isEqualTo(Math.PI);
    }
  }

  @Test
  void keepsValuesOfEachTypeInArrays() {
    byte[] array = new byte[32];
    long at = Memory.arrayBase(byte[].class) + 3L;
    Memory.heapPutByte(array, at, (byte) 9);
    assertThat(array[3]).isEqualTo((byte) 9).isEqualTo(Memory.heapByte(array, at));
    Memory.heapPutShort(array, at, (short) -2);
    assertThat(Memory.heapShort(array, at)).isEqualTo((short) -2);
    Memory.heapPutChar(array, at, 'x');
    assertThat(Memory.heapChar(array, at)).isEqualTo('x');
    Memory.heapPutInt(array, at, -3);
    assertThat(Memory.heapInt(array, at)).isEqualTo(-3);
    Memory.heapPutLong(array, at, -4L);
    assertThat(Memory.heapLong(array, at)).isEqualTo(-4L);
    Memory.heapPutFloat(array, at, 0.5f);
    assertThat(Memory.heapFloat(array, at)).isEqualTo(0.5f);
    Memory.heapPutDouble(array, at, Math.E);
    assertThat(Memory.heapDouble(array, at)).isEqualTo(Math.E);
    assertThat(ByteBuffer.wrap(array).order(ByteOrder.nativeOrder()).getDouble(3)).isEqualTo(Math.E);
    double[] doubles = new double[4];
    Memory.heapPutDouble(doubles, Memory.arrayBase(double[].class) + 2L * Double.BYTES, Math.PI);
    assertThat(doubles).containsExactly(0, 0, Math.PI, 0);
  }

  static Stream<IntFunction<Object>> arrays() {
    return Stream.of(boolean[]::new, byte[]::new, short[]::new, char[]::new, int[]::new, long[]::new, float[]::new,
        double[]::new);
  }

  @ParameterizedTest
  @MethodSource("arrays")
  void copiesArraysOfEachType(IntFunction<Object> make) {
    int length = 20;
    Object from = make.apply(length);
    for (int i = 0; i < length; i++) {
      set(from, i);
    }
    int element = bytesOf(from);
    int base = Memory.arrayBase(from.getClass());
    Object to = make.apply(length);
    Memory.copyIn(from, base + 2L * element, place, 10L * element);
    Memory.copy(place, place + BYTES / 2, 10L * element);
    Memory.copyOut(place + BYTES / 2, to, base + 5L * element, 10L * element);
    for (int i = 0; i < length; i++) {
      Object expected = i >= 5 && i < 15 ? Array.get(from, i - 3) : Array.get(make.apply(1), 0);
      assertThat(Array.get(to, i)).as("element %d", i).isEqualTo(expected);
    }
    Memory.copyAny(from, base, null, place, (long) length * element);
    Memory.copyAny(null, place, to, base, (long) length * element);
    assertThat(to).isEqualTo(from);
  }

  @Test
  void copiesFromArrayToArrayAndWithinOne() {
    int[] from = {1, 2, 3, 4, 5};
    byte[] to = new byte[8];
    long ints = Memory.arrayBase(int[].class);
    Memory.copyAny(from, ints + 4, to, Memory.arrayBase(byte[].class), 8);
    assertThat(ByteBuffer.wrap(to).order(ByteOrder.nativeOrder()).getLong()).isEqualTo(3L << 32 | 2);
    Memory.copyAny(from, ints, from, ints + 4, 16);
    assertThat(from).containsExactly(1, 1, 2, 3, 4);
  }

  @Test
  void textsComeBack() {
    long text = Memory.allocateString("Gold für Töpfe");
    assertThat(Memory.getCString(text)).isEqualTo("Gold für Töpfe");
    assertThat(Memory.lengthOfCString(text)).isEqualTo(16);
    assertThat(Memory.getString(text, 4)).isEqualTo("Gold");
    Memory.free(text);
  }

  @Test
  void buffersHaveTheAddressOfTheirFirstElement() {
    ByteBuffer bytes = ByteBuffer.allocateDirect(64).order(ByteOrder.nativeOrder());
    bytes.putInt(40, 77);
    bytes.limit(50).position(8);
    assertThat(Memory.getInt(Memory.addressOf(bytes) + 40)).isEqualTo(77);
    assertThat(Memory.addressOf(bytes.slice().asIntBuffer().position(3))).isEqualTo(Memory.addressOf(bytes) + 8);
    assertThat(bytes.position()).isEqualTo(8);
  }

  @Test
  void filesAreMappedUntilTheyAreClosed(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("mapped");
    Files.write(file, new byte[BYTES]);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      try (Mapping mapping = Memory.map(channel, FileChannel.MapMode.READ_WRITE, BYTES)) {
        mapping.bytes().put(100, (byte) 5);
        assertThat(Files.readString(Path.of("/proc/self/maps"))).contains(file.toString());
      }
      assertThat(Files.readString(Path.of("/proc/self/maps"))).doesNotContain(file.toString());
    }
    assertThat(Files.readAllBytes(file)[100]).isEqualTo((byte) 5);
  }

  @Test
  void thePageIsTheMachines() throws IOException, InterruptedException {
    Process asked = new ProcessBuilder("getconf", "PAGESIZE").start();
    assertThat(new String(asked.getInputStream().readAllBytes()).strip()).isEqualTo(String.valueOf(Memory.PAGE_BYTES));
    assertThat(asked.waitFor()).isZero();
  }

  private static int bytesOf(Object array) {
    Class<?> type = array.getClass().getComponentType();
    if (type == boolean.class || type == byte.class) {
      return 1;
    }
    if (type == short.class || type == char.class) {
      return 2;
    }
    return type == int.class || type == float.class ? 4 : 8;
  }

  private static void set(Object array, int i) {
    if (array instanceof boolean[] flags) {
      flags[i] = i % 3 == 0;
    } else if (array instanceof char[] chars) {
      chars[i] = (char) ('a' + i);
    } else {
      Array.setByte(array, i, (byte) (i + 1));
    }
  }
}
