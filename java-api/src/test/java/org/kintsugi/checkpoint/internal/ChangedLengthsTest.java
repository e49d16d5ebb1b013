// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.kintsugi.checkpoint.Protect;
import org.kintsugi.checkpoint.engine.CheckpointException;
import org.kintsugi.checkpoint.internal.image.ComposedImage;
import org.kintsugi.checkpoint.internal.image.ImageMemory;
import org.kintsugi.checkpoint.internal.protection.Protected;
import org.kintsugi.checkpoint.internal.protection.ProtectedArray;
import org.kintsugi.checkpoint.internal.protection.ProtectedField;
import org.kintsugi.checkpoint.internal.protection.ProtectedObject;
import org.kintsugi.checkpoint.internal.protection.Variable;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Datatype;
import org.kintsugi.mpi.Mpi;

/** Arrays, rows and buffers of other lengths than were saved get those that were saved; what fits already is used. */
class ChangedLengthsTest {
  private final Map<String, Protected> data = new LinkedHashMap<>();
  private double[] cells = {1.5, 2.5};
  private double[] old = {9};
  private int[][] neighbours = {{1}, {}, {2, 3}};
  private boolean[] flags = {true};
  private Buf flux = Buf.allocateDoubles(3);

  /** Loading this class provides the keys of the packages, which a program has long before its first buffer. */
  @BeforeAll
  static void initialize() throws IllegalAccessException {
    MethodHandles.lookup().ensureInitialized(Mpi.class);
  }

  @SuppressWarnings("unchecked")
  private <T> void protect(String name, Supplier<T> get, Consumer<T> set) {
    data.put(name, Protected.of(get.get().getClass(), Variable.of(get, (Consumer<Object>) set)));
  }

  /** Saves what is there, has it changed, and brings it back. */
  private void savedAndChanged(Runnable change) {
    ComposedImage image = ComposedImage.of(1, data);
    try (ImageMemory room = new ImageMemory()) {
      image.copyTo(room.open(image.bytes()));
      change.run();
      assertThat(ComposedImage.mismatch(data, room.image())).isNull();
      ComposedImage.readInto(data, room.image());
    }
  }

  @Test
  void longerAndShorterOnesGetTheLengthThatWasSaved() {
    protect("cells", () -> cells, a -> cells = a);
    protect("flags", () -> flags, a -> flags = a);
    savedAndChanged(() -> {
      cells = new double[7];
      flags = new boolean[0];
    });
    assertThat(cells).containsExactly(1.5, 2.5);
    assertThat(flags).containsExactly(true);
  }

  @Test
  void anArrayThatFitsIsWrittenInto() {
    protect("cells", () -> cells, a -> cells = a);
    double[] before = cells;
    savedAndChanged(() -> cells[1] = 0);
    assertThat(cells).isSameAs(before).containsExactly(1.5, 2.5);
  }

  @Test
  void rowsComeBackWithTheirNumberAndLengths() {
    protect("neighbours", () -> neighbours, a -> neighbours = a);
    int[] row = neighbours[2];
    savedAndChanged(() -> neighbours = new int[][] {{4, 5, 6, 7}, {8}, row, {9}});
    assertThat(neighbours).isDeepEqualTo(new int[][] {{1}, {}, {2, 3}});
    assertThat(neighbours[2]).as("a row that fits").isSameAs(row);
    int[][] grid = neighbours;
    savedAndChanged(() -> {
      neighbours[0] = new int[3];
      neighbours[2] = null;
    });
    assertThat(neighbours).isSameAs(grid).isDeepEqualTo(new int[][] {{1}, {}, {2, 3}});
  }

  @Test
  void theRowsOfAnArrayThatIsProtectedItselfMayBeOthers() {
    int[][] fixed = {{1, 2}, null, {3}};
    data.put("fixed", ProtectedArray.of("fixed", fixed));
    int[] row = fixed[2];
    savedAndChanged(() -> {
      fixed[0] = new int[5];
      fixed[1] = new int[1];
      fixed[2][0] = 0;
    });
    assertThat(fixed).isDeepEqualTo(new int[][] {{1, 2}, null, {3}});
    assertThat(fixed[2]).isSameAs(row);
  }

  /** As a C code has them whose first row is the last one, too. */
  @Test
  void rowsThatAreOneArrayStayOne() {
    protect("neighbours", () -> neighbours, a -> neighbours = a);
    int[] both = {7, 8};
    neighbours = new int[][] {both, {1}, both};
    savedAndChanged(() -> neighbours = new int[][] {{0, 0}, {0}, {0, 0}});
    assertThat(neighbours).isDeepEqualTo(new int[][] {{7, 8}, {1}, {7, 8}});
    assertThat(neighbours[2]).isSameAs(neighbours[0]).isNotSameAs(neighbours[1]);
    savedAndChanged(() -> neighbours[0][0] = 0);
    assertThat(neighbours[2]).isSameAs(neighbours[0]).containsExactly(7, 8);
  }

  @Test
  void nullIsAValue() {
    protect("cells", () -> cells, a -> cells = a);
    protect("neighbours", () -> neighbours, a -> neighbours = a);
    cells = null;
    neighbours = new int[][] {null, {1}};
    savedAndChanged(() -> {
      cells = new double[3];
      neighbours = null;
    });
    assertThat(cells).isNull();
    assertThat(neighbours).isDeepEqualTo(new int[][] {null, {1}});
  }

  @Test
  void twoVariablesWithTheSameArrayGetOneEach() {
    double[] both = {0};
    double[] first = {1};
    data.put("before", Protected.of(double[].class, Variable.of(() -> old, a -> old = (double[]) a)));
    data.put("fixed", ProtectedArray.of("fixed", both));
    protect("cells", () -> cells, a -> cells = a);
    old = first;
    cells = new double[] {2};
    both[0] = 3;
    savedAndChanged(() -> {
      old = both;
      cells = both;
    });
    assertThat(both).containsExactly(3);
    assertThat(old).containsExactly(1);
    assertThat(cells).containsExactly(2);
    neighbours = new int[][] {{1}, {2}};
    protect("neighbours", () -> neighbours, a -> neighbours = a);
    savedAndChanged(() -> neighbours[1] = neighbours[0]);
    assertThat(neighbours).isDeepEqualTo(new int[][] {{1}, {2}});
  }

  @Test
  void aBufferThatDoesNotFitIsMadeAnewAndTheOtherStaysOpen() {
    protect("flux", () -> flux, a -> flux = a);
    flux.putDouble(2, 7);
    try (Buf saved = flux; Buf other = Buf.allocateDoubles(1)) {
      savedAndChanged(() -> flux = other);
      assertThat(flux).isNotSameAs(other);
      assertThat(flux.count()).isEqualTo(3);
      assertThat(flux.getDouble(2)).isEqualTo(7);
      assertThat(other.getDouble(0)).isZero();
      Buf fits = flux;
      savedAndChanged(() -> flux.putDouble(2, 0));
      assertThat(flux).isSameAs(fits);
      assertThat(flux.getDouble(2)).isEqualTo(7);
      flux.close();
      saved.putDouble(0, 1);
    }
  }

  /** Its elements cannot be made anew: the datatype is the program's. */
  @Test
  void aViewKeepsItsLength() {
    try (Buf all = Buf.allocateBytes(40)) {
      flux = all.as(Datatype.DOUBLE, 3);
      protect("flux", () -> flux, a -> flux = a);
      assertThat(data.get("flux").shape()).isEqualTo("3 x Double in 40 bytes");
    }
  }

  /** An object with fields to protect. */
  private static final class Mesh {
    @Protect
    private double[] cells = {1};
    @Protect
    private int[][] neighbours;
    @Protect
    private final long[] counts = {5};
    @Protect
    private Integer boxed;
    @Protect
    private short level = 3;
  }

  @Test
  void fieldsMayChangeTheirLengthAndFinalOnesKeepIt() {
    Mesh mesh = new Mesh();
    data.putAll(ProtectedField.of(mesh, Protect.class));
    long[] counts = mesh.counts;
    savedAndChanged(() -> {
      mesh.cells = new double[4];
      mesh.neighbours = new int[1][];
      mesh.counts[0] = 0;
      mesh.boxed = 6;
      mesh.level = 0;
    });
    assertThat(mesh.cells).containsExactly(1);
    assertThat(mesh.neighbours).isNull();
    assertThat(mesh.counts).isSameAs(counts).containsExactly(5);
    assertThat(mesh.boxed).isNull();
    assertThat(mesh.level).isEqualTo((short) 3);
    assertThat(data.get("cells").shape()).isEqualTo("double[] of any length");
    assertThat(data.get("counts").shape()).isEqualTo("1 x long");
  }

  private static class WithoutConstructor {
    WithoutConstructor(int ignored) {}
  }

  private static final class Unreadable extends WithoutConstructor implements Serializable {
    private static final long serialVersionUID = 1;

    Unreadable() {
      super(1);
    }
  }

  @Test
  void anObjectThatCanBeWrittenAndNotReadIsRefusedAtTheSave() {
    data.put("x", new ProtectedObject(Unreadable.class, Unreadable.class, Variable.of(Unreadable::new, read -> {})));
    assertThatThrownBy(() -> ComposedImage.of(1, data)).isInstanceOf(CheckpointException.class).hasMessageContaining("'x'")
        .hasMessageContaining("cannot be read back").hasMessageContaining("no valid constructor");
  }

  @Test
  void oneLineListsTheDifferences() {
    String before = "x: 10 x double\ny: a long\n";
    assertThat(ComposedImage.changed(before, before)).isNull();
    assertThat(ComposedImage.changed(before, "x: 11 x double\ny: a long\nz: a long\n"))
        .startsWith("then there was x: 10 x double; now there is x: 11 x double, z: a long. What changes its length");
    assertThat(ComposedImage.changed(before, "y: a long\n")).startsWith("then there was x: 10 x double. What");
    assertThat(ComposedImage.changed(before, "y: a long\nx: 10 x double\n")).startsWith("the order has changed.");
  }
}
