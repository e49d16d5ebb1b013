// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The bytes that a copy between a buffer and a staging block touches, against type maps that are written out byte by byte. */
class ElementCopyTest {
  private static final int TYPES = 4_000;
  private static final int MOST_BYTES = 4_096;

  /** A datatype, and where each byte of an element's data is, in the order of the type map. */
  private record Written(Datatype type, List<Long> places) {
    void addTo(List<Long> all, long at) {
      places.forEach(place -> all.add(at + place));
    }
  }

  private static Written predefined(Datatype type) {
    List<Long> places = new ArrayList<>();
    for (long i = 0; i < type.size(); i++) {
      places.add(i);
    }
    return new Written(type, places);
  }

  private static Written random(SplittableRandom random, List<Written> made) {
    Written old = made.get(random.nextInt(made.size()));
    long step = old.type.extent();
    int count = random.nextInt(4);
    int[] lengths = random.ints(count, 0, 4).toArray();
    int[] displacements = random.ints(count, 0, 7).toArray();
    List<Long> places = new ArrayList<>();
    switch (random.nextInt(5)) {
      case 0:
        for (int i = 0; i < count; i++) {
          old.addTo(places, i * step);
        }
        return new Written(Datatype.contiguous(count, old.type), places);
      case 1:
        int length = random.nextInt(4);
        int stride = random.nextInt(6);
        for (int i = 0; i < count * length; i++) {
          old.addTo(places, (i / length * stride + i % length) * step);
        }
        return new Written(Datatype.vector(count, length, stride, old.type), places);
      case 2:
        for (int i = 0; i < count; i++) {
          for (int j = 0; j < lengths[i]; j++) {
            old.addTo(places, (displacements[i] + j) * step);
          }
        }
        return new Written(Datatype.indexed(lengths, displacements, old.type), places);
      case 3:
        Datatype[] types = new Datatype[count];
        long[] bytes = new long[count];
        for (int i = 0; i < count; i++) {
          Written other = made.get(random.nextInt(made.size()));
          types[i] = other.type;
          bytes[i] = random.nextInt(41);
          for (int j = 0; j < lengths[i]; j++) {
            other.addTo(places, bytes[i] + j * other.type.extent());
          }
        }
        return new Written(Datatype.struct(lengths, bytes, types), places);
      default:
        return new Written(old.type.resized(random.nextInt(-9, 10), random.nextInt(0, 60)), old.places);
    }
  }

  @Test
  void onlyDataIsCopiedAndAllOfIt() {
    SplittableRandom random = new SplittableRandom(20261129);
    List<Written> predefined = new ArrayList<>();
    for (Datatype type : List.of(Datatype.BYTE, Datatype.SHORT, Datatype.INT, Datatype.DOUBLE, Datatype.DOUBLE_INT)) {
      predefined.add(predefined(type));
    }
    int tried = 0;
    List<Written> made = new ArrayList<>(predefined);
    while (tried < TYPES) {
      Written next = random(random, made);
      int count = random.nextInt(1, 4);
      if (next.type.extent() < 0 || next.type.span(count) > MOST_BYTES) {
        continue;
      }
      compare(random, next, count);
      tried++;
      made.add(next);
      if (made.size() > 12) {
        made = new ArrayList<>(predefined);
      }
    }
  }

  private static void compare(SplittableRandom random, Written written, int count) {
    Datatype type = written.type;
    int span = (int) type.span(count);
    int offset = random.nextInt(5);
    byte[] array = new byte[offset + span + 9];
    random.nextBytes(array);
    byte[] original = array.clone();
    List<Long> places = new ArrayList<>();
    int first = random.nextInt(count);
    for (int i = first; i < count; i++) {
      written.addTo(places, i * type.extent());
    }
    int bytes = random.nextInt(places.size() + 1); // as of a message that is shorter than the buffer
    byte[] message = new byte[places.size()];
    random.nextBytes(message);
    byte[] expected = array.clone();
    for (int i = 0; i < bytes; i++) {
      expected[offset + places.get(i).intValue()] = message[i];
    }
    try (Buf block = Buf.allocateBytes(Math.max(message.length, 1)); Buf memory = Buf.allocateBytes(array.length)) {
      memory.put(0, original, 0, original.length);
      for (boolean isArray : new boolean[] {true, false}) {
        Buf buf = (isArray ? Buf.wrap(array) : memory).slice(offset, span + 9).as(type, count);
        buf.pack(first, count - first, block.address());
        for (int i = 0; i < places.size(); i++) {
          assertThat(block.getByte(i)).as("%s, byte %d of the data", type, i)
              .isEqualTo(original[offset + places.get(i).intValue()]);
        }
        block.put(0, message, 0, message.length);
        buf.unpack(block.address(), first, count - first, bytes);
      }
      assertThat(array).as("%s, element %d of %d, %d bytes", type, first, count, bytes).isEqualTo(expected);
      byte[] inMemory = new byte[array.length];
      memory.get(0, inMemory, 0, inMemory.length);
      assertThat(inMemory).as("off-heap, %s, element %d of %d, %d bytes", type, first, count, bytes).isEqualTo(expected);
    }
    compareLaidOut(Buf.wrap(array, offset, span + 9).as(type, count), array, offset, span, written);
  }

  /** A block with the same layout as the elements, as for a reduction. */
  private static void compareLaidOut(Buf buf, byte[] array, int offset, int span, Written written) {
    byte[] expected = array.clone();
    try (Buf block = Buf.allocateBytes(span + 1)) {
      buf.copySpan(block.address());
      for (int i = 0; i < span; i++) {
        assertThat(block.getByte(i)).isEqualTo(array[offset + i]);
        block.putByte(i, (byte) ~array[offset + i]);
      }
      List<Long> places = new ArrayList<>();
      written.addTo(places, 0);
      for (long place : Set.copyOf(places)) {
        expected[offset + (int) place] ^= -1;
      }
      buf.copyElements(block.address(), 1);
      assertThat(array).as("%s, one element", buf.datatype()).isEqualTo(expected);
    }
  }
}
