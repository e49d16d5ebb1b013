// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.checkpoint.engine.CheckpointException;
import org.kintsugi.checkpoint.internal.CheckpointAccess;
import org.kintsugi.checkpoint.internal.protection.Protected;
import org.kintsugi.checkpoint.internal.protection.ProtectedArray;
import org.kintsugi.checkpoint.internal.protection.ProtectedBuf;
import org.kintsugi.checkpoint.internal.protection.Variable;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.mpi.internal.memory.MemoryView;

/** However an image is taken, as a whole or in pieces of any length, it has the same bytes, and they come back. */
@Tag("mpi")
class ComposedImageTest {
  private final byte[] odd = {1, 2, 3};
  private final double[][] rows = {{1.5}, {}, {2.5, -3.5}};
  private final long[] empty = {};
  private final Buf offHeap = Buf.allocateBytes(4096);

  /** Loading this class provides the keys of the packages, which a program has long before its first buffer. */
  @BeforeAll
  static void initialize() throws IllegalAccessException {
    MethodHandles.lookup().ensureInitialized(Mpi.class);
  }

  private Map<String, Protected> data() {
    byte[] random = new byte[4096];
    new Random(7).nextBytes(random);
    offHeap.put(0, random, 0, random.length);
    Map<String, Protected> data = new LinkedHashMap<>();
    data.put("odd", ProtectedArray.of("odd", odd));
    data.put("empty", ProtectedArray.of("empty", empty));
    data.put("off-heap", new ProtectedBuf(Variable.fixed(offHeap)));
    data.put("rows", ProtectedArray.of("rows", rows));
    return data;
  }

  private static byte[] bytes(Buf buf) {
    byte[] bytes = new byte[(int) buf.bytes()];
    buf.get(0, bytes, 0, bytes.length);
    return bytes;
  }

  private static byte[] whole(ComposedImage image) {
    try (Buf room = Buf.allocateBytes(image.bytes())) {
      image.copyTo(room);
      return bytes(room);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 8, 64, 1000, 100_000})
  void inPiecesOrAsAWhole(int length) {
    ComposedImage image = ComposedImage.of(5, data());
    byte[] whole = whole(image);
    ByteBuffer joined = ByteBuffer.allocate(whole.length);
    MemoryView window = new MemoryView();
    try (Buf scratch = Buf.allocateBytes(length)) {
      for (int at = 0; at < whole.length; at += length) {
        int count = Math.min(length, whole.length - at);
        joined.put(window.view(image.gather(at, count, scratch), count));
      }
    }
    assertThat(joined.array()).isEqualTo(whole);
  }

  private static Buf large() {
    Buf large = Buf.allocateBytes(2 * ComposedImage.PIECE_BYTES + 1);
    byte[] random = new byte[(int) large.bytes()];
    new Random(11).nextBytes(random);
    large.put(0, random, 0, random.length);
    return large;
  }

  @Test
  void aCopyAndWhatCanStayWhereItIsMakeTheWhole() {
    Map<String, Protected> data = data();
    try (Buf large = large(); Buf scratch = Buf.allocateBytes(4 * ComposedImage.PIECE_BYTES)) {
      ComposedImage heap = ComposedImage.of(5, Map.of("odd", ProtectedArray.of("odd", odd)));
      assertThat(heap.direct()).isNull();
      assertThat(heap.copyRest(scratch)).isEqualTo(checksum(whole(heap)));
      data.put("large", new ProtectedBuf(Variable.fixed(large)));
      data.put("following", ProtectedArray.of("following", odd));
      ComposedImage image = ComposedImage.of(5, data);
      byte[] whole = whole(image);
      assertThat(image.copyRest(scratch)).isEqualTo(checksum(whole));
      ComposedImage.Direct direct = image.direct();
      assertThat(direct.address()).isEqualTo(large.address());
      assertThat(direct.bytes()).isEqualTo(large.bytes());
      ByteBuffer joined = ByteBuffer.allocate(whole.length);
      joined.put(bytes(scratch), 0, (int) direct.at()).put(bytes(large));
      joined.put(bytes(scratch), (int) direct.at(), joined.remaining());
      assertThat(joined.array()).isEqualTo(whole);
    }
  }

  private static long checksum(byte[] bytes) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes);
    return checksum.getValue();
  }

  @Test
  void mostOfItIsWhereItIsInMemory() {
    try (Buf large = Buf.allocateBytes(100_000); Buf scratch = Buf.allocateBytes(1)) {
      ComposedImage image = ComposedImage.of(5, Map.of("large", new ProtectedBuf(Variable.fixed(large))));
      long within = image.bytes() - 100_000;
      assertThat(image.positionInPage(scratch)).isEqualTo(Math.floorMod(large.address() - within, Memory.PAGE_BYTES));
      ComposedImage composed = ComposedImage.of(5, Map.of("odd", ProtectedArray.of("odd", odd)));
      assertThat(composed.positionInPage(scratch)).isEqualTo(Math.floorMod(scratch.address(), Memory.PAGE_BYTES));
    }
  }

  @Test
  void aCopyAsideDoesNotChangeWithTheData() {
    try (ImageMemory room = new ImageMemory()) {
      ComposedImage image = ComposedImage.of(5, data());
      byte[] before = whole(image);
      ComposedImage copy = image.copyAside(room);
      odd[0] = 99;
      rows[2][1] = 99;
      offHeap.putByte(17, (byte) (offHeap.getByte(17) + 1));
      assertThat(whole(copy)).isEqualTo(before).isNotEqualTo(whole(image));
    }
  }

  @Test
  void comesBack() {
    Map<String, Protected> data = data();
    try (ImageMemory room = new ImageMemory()) {
      ComposedImage.of(5, data).copyTo(room.open(ComposedImage.of(5, data).bytes()));
      byte first = offHeap.getByte(0);
      odd[2] = 0;
      rows[0][0] = 0;
      rows[2][1] = 0;
      offHeap.putByte(0, (byte) (first + 1));
      assertThat(ComposedImage.mismatch(data, room.image())).isNull();
      ComposedImage.readInto(data, room.image());
      assertThat(odd).containsExactly(1, 2, 3);
      assertThat(rows).isDeepEqualTo(new double[][] {{1.5}, {}, {2.5, -3.5}});
      assertThat(offHeap.getByte(0)).isEqualTo(first);
      assertThat(ComposedImage.saveOf(room.image())).isEqualTo(5);
      assertThat(ComposedImage.isVoid(room.image())).isFalse();
    }
  }

  @Test
  void whatCannotBeTakenOrGivenBackIsNamed() {
    Map<String, Protected> data = new LinkedHashMap<>();
    data.put("good", ProtectedArray.of("good", odd));
    data.put("grid", Protected.of(int.class, Variable.of(() -> "text", bits -> {})));
    assertThatThrownBy(() -> ComposedImage.of(1, data)).isInstanceOf(CheckpointException.class).hasMessageContaining("'grid'")
        .hasMessageContaining("it was java.lang.Integer").hasMessageContaining("is java.lang.String now");
    data.put("grid", Protected.of(int.class, Variable.of(() -> 1, bits -> {
      throw new IllegalStateException("not today");
    })));
    try (ImageMemory room = new ImageMemory()) {
      ComposedImage image = ComposedImage.of(1, data);
      image.copyTo(room.open(image.bytes()));
      assertThatThrownBy(() -> ComposedImage.readInto(data, room.image())).isInstanceOf(CheckpointException.class)
          .hasMessageContaining("'grid'").hasMessageContaining("not today");
    }
    Buf closed = Buf.allocateBytes(8);
    closed.close();
    data.put("grid", new ProtectedBuf(Variable.fixed(closed)));
    assertThatThrownBy(() -> ComposedImage.of(1, data)).isInstanceOf(CheckpointException.class).hasMessageContaining("'grid'")
        .hasMessageContaining("closed");
  }

  @Test
  void whatIsNullIsNamed() {
    Checkpoint checkpoint = CheckpointAccess.get().inMemory("node");
    assertThatThrownBy(() -> checkpoint.protect("x", (Buf) null)).hasMessage("the buffer of 'x' is null");
    assertThatThrownBy(() -> checkpoint.protect("k", () -> 1, null)).hasMessage("the setter of 'k' is null");
    assertThatThrownBy(() -> checkpoint.protect("k", () -> null, now -> {})).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'k' is null").hasMessageContaining("array of length 0");
    assertThatThrownBy(() -> checkpoint.protect("k", () -> "text", now -> {})).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'k' of type java.lang.String").hasMessageContaining("protectObject");
    assertThatThrownBy(() -> checkpoint.protectFields("solver", null)).hasMessage("the holder of 'solver' is null");
    assertThatThrownBy(() -> checkpoint.save(1)).isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("has no world yet");
  }

  @Test
  void anImageOfNothingIsEmpty() {
    ComposedImage image = ComposedImage.ofNothing(6);
    assertThat(image.isVoid()).isTrue();
    assertThat(image.save()).isEqualTo(6);
    try (ImageMemory room = new ImageMemory()) {
      image.copyTo(room.open(image.bytes()));
      assertThat(ComposedImage.isVoid(room.image())).isTrue();
    }
  }
}
