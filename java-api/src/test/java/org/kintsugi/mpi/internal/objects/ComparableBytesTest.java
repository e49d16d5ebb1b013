// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.objects;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Equal contents have equal bytes, although what is serialized differs; other contents have others. */
class ComparableBytesTest {
  /** Objects that refer to each other. */
  private static final class Node implements Serializable {
    private static final long serialVersionUID = 1L;
    private final double value;
    private Node next;

    private Node(double value) {
      this.value = value;
    }
  }

  /** As a restore makes it. */
  private static Object readBack(Object written) throws IOException, ClassNotFoundException {
    ObjectBytes form = new ObjectBytes(written.getClass(), written.getClass(), Node.class);
    return form.read(form.write(written).bytes());
  }

  private static void assertSame(Object one, Object other) throws IOException {
    assertThat(ComparableBytes.of(one)).isEqualTo(ComparableBytes.of(other));
  }

  private static void assertDifferent(Object one, Object other) throws IOException {
    assertThat(ComparableBytes.of(one)).isNotEqualTo(ComparableBytes.of(other));
  }

  private static <M extends Map<Integer, String>> M shrunk(M map) {
    for (int key = 0; key < 40; key++) {
      map.put(key, "value " + key);
    }
    map.keySet().retainAll(List.of(3, 17, 20, 35));
    return map;
  }

  @Test
  void theSizeOfATableDoesNotCount() throws IOException, ClassNotFoundException {
    for (HashMap<Integer, String> map : List.of(shrunk(new HashMap<>()), shrunk(new LinkedHashMap<>()))) {
      HashMap<?, ?> restored = (HashMap<?, ?>) readBack(map);
      assertThat(new ObjectBytes(HashMap.class, HashMap.class).write(map).bytes())
          .as("what this test is about").isNotEqualTo(new ObjectBytes(HashMap.class, HashMap.class).write(restored).bytes());
      assertSame(map, restored);
    }
    HashSet<String> set = new HashSet<>(shrunk(new HashMap<>()).values());
    assertSame(set, readBack(set));
  }

  @Test
  void equalTextsAndNumbersCountAsOne() throws IOException {
    assertSame(new ArrayList<>(List.of("a", "a")), new ArrayList<>(List.of("a", new String("a"))));
    assertSame(new ArrayList<>(List.of(1000L, Long.valueOf(1000))), new ArrayList<>(Collections.nCopies(2, 1000L)));
    assertDifferent(new ArrayList<>(List.of(0.0)), new ArrayList<>(List.of(-0.0)));
    assertDifferent(new ArrayList<>(List.of(1L)), new ArrayList<>(List.of(1)));
  }

  @Test
  void anOrderThatAProgramSeesCounts() throws IOException {
    Map<Integer, String> upwards = new LinkedHashMap<>(Map.of(1, "a"));
    upwards.put(2, "b");
    Map<Integer, String> downwards = new LinkedHashMap<>(Map.of(2, "b"));
    downwards.put(1, "a");
    assertDifferent(upwards, downwards);
    assertSame(new HashMap<>(upwards), new HashMap<>(downwards));
    assertDifferent(upwards, new HashMap<>(upwards));
  }

  @Test
  void contentsCount() throws IOException {
    assertDifferent(new HashMap<>(Map.of(1, "a")), new HashMap<>(Map.of(1, "b")));
    assertDifferent(new HashMap<>(Map.of(1, "a")), new HashMap<>(Map.of(2, "a")));
    assertSame(null, null);
    assertDifferent(null, "null");
  }

  @Test
  void aCycleIsWritten() throws IOException, ClassNotFoundException {
    Node ring = new Node(1);
    ring.next = new Node(2);
    ring.next.next = ring;
    assertSame(ring, readBack(ring));
    Node other = new Node(1);
    other.next = new Node(2);
    other.next.next = new Node(1);
    assertDifferent(ring, other);
    HashMap<String, Object> own = new HashMap<>();
    own.put("self", own);
    assertSame(own, own);
  }
}
