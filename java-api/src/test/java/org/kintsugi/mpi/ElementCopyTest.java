// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.kintsugi.mpi.internal.memory.Memory;

/** The bytes that a copy between an array and a staging block touches, against type maps that are written out byte by byte. */
class ElementCopyTest {
  private static final int TYPES = 4_000;
  private static final int MOST_BYTES = 4_096;
  private static final byte OF_ARRAY = 1;

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
    java.util.Arrays.fill(array, OF_ARRAY);
    Buf buf = Buf.wrap(array, offset, span + 9).as(type, count);
    List<Long> places = new ArrayList<>();
    int first = random.nextInt(count);
    for (int i = first; i < count; i++) {
      written.addTo(places, i * type.extent());
    }
    int bytes = random.nextInt(places.size() + 1); // as of a message that is shorter than the buffer
    byte[] expected = array.clone();
    long block = Memory.allocate(Math.max(span, 1));
    byte[] inBlock = new byte[span];
    for (int i = 0; i < span; i++) {
      inBlock[i] = (byte) (2 + i % 120);
      Memory.putByte(block + i, inBlock[i]);
    }
    for (long place : places.subList(0, bytes)) {
      expected[offset + (int) place] = inBlock[(int) place];
    }
    buf.copyFrom(block, first, count - first, bytes);
    assertThat(array).as("%s, element %d of %d, %d bytes", type, first, count, bytes).isEqualTo(expected);

    random.nextBytes(array);
    buf.copyTo(block);
    for (int i = 0; i < count; i++) {
      for (long place : written.places) {
        long at = i * type.extent() + place;
        assertThat(Memory.getByte(block + at)).as("%s, byte %d", type, at).isEqualTo(array[offset + (int) at]);
      }
    }
    Memory.free(block);
  }
}
