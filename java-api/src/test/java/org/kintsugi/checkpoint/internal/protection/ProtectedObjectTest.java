// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.protection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.kintsugi.checkpoint.engine.CheckpointException;
import org.kintsugi.mpi.internal.memory.Memory;

/** The classes whose code runs when a protected object is read. */
class ProtectedObjectTest {
  private interface Shape extends Serializable {}

  private record Circle(double radius, File drawnIn) implements Shape {}

  private static final class Drawing implements Serializable {
    private static final long serialVersionUID = 1;

    private final List<Shape> shapes = new ArrayList<>();
    private final Map<TimeUnit, BigDecimal[]> times = new EnumMap<>(TimeUnit.class);
    private final int[][] grid = {{1}, {2, 3}};
    private Object anything;
  }

  /** Not among the declared classes: records that it was read. */
  private static final class Log implements Serializable {
    private static final long serialVersionUID = 1;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
    }
  }

  private static byte[] serialized(Object object) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream objects = new ObjectOutputStream(bytes)) {
      objects.writeObject(object);
    }
    return bytes.toByteArray();
  }

  /** Reads bytes that somebody has written into a file. */
  private static Object read(Class<?> type, byte[] bytes, Class<?>... others) {
    Object[] read = new Object[1];
    long address = Memory.allocate(bytes.length);
    try {
      Memory.copyIn(bytes, Memory.arrayBase(byte[].class), address, bytes.length);
      new ProtectedObject(type, type, Variable.of(() -> null, object -> read[0] = object), others)
          .readFrom(address, bytes.length, new HashSet<>());
    } finally {
      Memory.free(address);
    }
    return read[0];
  }

  private static void save(Class<?> type, Object object, Class<?>... others) {
    new ProtectedObject(type, type, Variable.of(() -> object, read -> {}), others).pieces((base, offset, bytes, owner) -> {});
  }

  @Test
  void whatTheFieldsNameComesBack() throws IOException {
    Drawing drawing = new Drawing();
    drawing.shapes.add(new Circle(2, new File("sheet")));
    drawing.times.put(TimeUnit.DAYS, new BigDecimal[] {BigDecimal.TEN});
    drawing.anything = new TreeMap<>(Map.of("now", Instant.EPOCH));
    save(Drawing.class, drawing);
    Drawing read = (Drawing) read(Drawing.class, serialized(drawing));
    assertThat(read).usingRecursiveComparison().isEqualTo(drawing);
  }

  /** Some are made of locks and the like. */
  @Test
  void collectionsOfTheJdkComeBack() throws IOException {
    for (Object collection : List.of(new ConcurrentHashMap<>(Map.of(1, "a")), new ConcurrentSkipListMap<>(Map.of(1, "a")),
        new CopyOnWriteArrayList<>(List.of(1, 2)), new LinkedHashMap<>(Map.of("b", 2L)), new PriorityQueue<>(List.of(3)),
        new ArrayDeque<>(List.of(4)), new BitSet(70))) {
      save(collection.getClass(), collection);
      assertThat(read(collection.getClass(), serialized(collection)).toString()).isEqualTo(collection.toString());
    }
    LinkedBlockingQueue<Integer> queue = new LinkedBlockingQueue<>(List.of(5, 6));
    save(LinkedBlockingQueue.class, queue);
    assertThat(read(LinkedBlockingQueue.class, serialized(queue))).hasToString("[5, 6]");
  }

  @Test
  void anElementThatIsNotNamedIsRefusedAtTheSaveAndAtTheRestore() throws IOException {
    ArrayList<Object> list = new ArrayList<>(List.of(new File("x")));
    assertThatThrownBy(() -> save(ArrayList.class, list)).isInstanceOf(CheckpointException.class)
        .hasMessageContaining("java.util.ArrayList").hasMessageContaining("java.io.File").hasMessageContaining("protectObject");
    byte[] bytes = serialized(list);
    assertThatThrownBy(() -> read(ArrayList.class, bytes)).isInstanceOf(CheckpointException.class)
        .hasMessageContaining("java.io.File");
    save(ArrayList.class, list, File.class);
    assertThat(read(ArrayList.class, bytes, File.class)).isEqualTo(list);
  }

  @Test
  void anotherClassThanTheDeclaredOneIsRefused() throws IOException {
    byte[] bytes = serialized(new Log());
    assertThatThrownBy(() -> read(String.class, bytes)).isInstanceOf(CheckpointException.class).hasMessageContaining("Log");
  }

  @Test
  void aFunctionIsRefused() {
    ArrayList<Object> list = new ArrayList<>();
    list.add((Runnable & Serializable) () -> {});
    assertThatThrownBy(() -> save(ArrayList.class, list)).isInstanceOf(CheckpointException.class)
        .hasMessageContaining("SerializedLambda");
  }

  /** A few bytes that claim to be two gigabytes. */
  @Test
  void anArrayThatIsLongerThanTheFileIsRefused() throws IOException {
    byte[] bytes = serialized(new long[1]);
    bytes[bytes.length - Long.BYTES - Integer.BYTES] = 0x7f;
    assertThatThrownBy(() -> read(long[].class, bytes)).isInstanceOf(CheckpointException.class)
        .hasMessageContaining("cannot be read back").hasNoSuppressedExceptions();
  }
}
