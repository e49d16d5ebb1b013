// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.checkpoint.CheckpointConfig;
import org.kintsugi.checkpoint.DoubleRef;
import org.kintsugi.checkpoint.LevelCost;
import org.kintsugi.checkpoint.LongRef;
import org.kintsugi.checkpoint.Protect;
import org.kintsugi.checkpoint.engine.CheckpointException;
import org.kintsugi.checkpoint.internal.CheckpointAccess;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Datatype;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.test.RanksTest;

/** Protects, saves and restores data, without deaths. */
@Tag("flavours")
class CheckpointTest {
  private static Checkpoint checkpoint(Mpi mpi) {
    Checkpoint checkpoint = CheckpointAccess.get().inMemory(mpi.processorName());
    CheckpointAccess.get().bind(checkpoint, mpi.world());
    return checkpoint;
  }

  @RanksTest(n = {1, 3})
  void theNewestOfManyVersionsComesBack(Mpi mpi) {
    Checkpoint checkpoint = checkpoint(mpi);
    double[] data = new double[10];
    checkpoint.protect("data", data);
    for (int version = 1; version <= 5; version++) {
      data[3] = version + mpi.world().rank();
      checkpoint.save(version);
    }
    data[3] = 0;
    assertThat(checkpoint.versions()).endsWith(5L);
    assertThat(checkpoint.restore()).hasValue(5);
    assertThat(data[3]).isEqualTo(5 + mpi.world().rank());
    assertThat(checkpoint.saves()).isEqualTo(5);
  }

  @RanksTest(n = 2)
  void everyTypeOfArrayComesBack(Mpi mpi) {
    Checkpoint checkpoint = checkpoint(mpi);
    byte[] bytes = {1, -2};
    short[] shorts = {3, -4, 5};
    char[] chars = {'a', '\uffff'};
    int[] ints = {6, -7};
    long[] longs = {Long.MIN_VALUE};
    float[] floats = {Float.NaN, -0f};
    double[] doubles = {1e300, Double.NEGATIVE_INFINITY};
    boolean[] booleans = {true, false, true};
    double[][] rows = {{1, 2, 3}, {4}, {}};
    boolean[][] masks = {{true}, {false}};
    Buf buf = Buf.allocateInts(2);
    buf.putInt(1, 77);
    checkpoint.protect("bytes", bytes);
    checkpoint.protect("shorts", shorts);
    checkpoint.protect("chars", chars);
    checkpoint.protect("ints", ints);
    checkpoint.protect("longs", longs);
    checkpoint.protect("floats", floats);
    checkpoint.protect("doubles", doubles);
    checkpoint.protect("booleans", booleans);
    checkpoint.protect("rows", rows);
    checkpoint.protect("masks", masks);
    checkpoint.protect("buf", buf);
    checkpoint.save(1);
    bytes[1] = 0;
    shorts[2] = 0;
    chars[1] = 0;
    ints[1] = 0;
    longs[0] = 0;
    floats[0] = 0;
    doubles[1] = 0;
    booleans[2] = false;
    rows[0] = new double[3];
    rows[1][0] = 0;
    masks[0][0] = false;
    buf.putInt(1, 0);
    assertThat(checkpoint.restore()).hasValue(1);
    assertThat(bytes).containsExactly(1, -2);
    assertThat(shorts).containsExactly(3, -4, 5);
    assertThat(chars).containsExactly('a', '\uffff');
    assertThat(ints).containsExactly(6, -7);
    assertThat(longs).containsExactly(Long.MIN_VALUE);
    assertThat(Float.floatToRawIntBits(floats[0])).isEqualTo(Float.floatToRawIntBits(Float.NaN));
    assertThat(doubles).containsExactly(1e300, Double.NEGATIVE_INFINITY);
    assertThat(booleans).containsExactly(true, false, true);
    assertThat(rows).isDeepEqualTo(new double[][] {{1, 2, 3}, {4}, {}});
    assertThat(masks).isDeepEqualTo(new boolean[][] {{true}, {false}});
    assertThat(buf.getInt(1)).isEqualTo(77);
  }

  private double[] cells;
  private int[][] neighbours;
  private Buf flux;

  @RanksTest(n = 3)
  void whatHasAGetterAndASetterMayHaveAnotherLengthAtEverySave(Mpi mpi) {
    int rank = mpi.world().rank();
    Checkpoint checkpoint = checkpoint(mpi);
    cells = new double[] {0};
    neighbours = new int[][] {{}};
    flux = Buf.allocateLongs(0);
    checkpoint.protect("cells", () -> cells, a -> cells = a);
    checkpoint.protect("neighbours", () -> neighbours, a -> neighbours = a);
    checkpoint.protect("flux", () -> flux, b -> flux = b);
    assertThat(checkpoint.restore()).isEmpty();
    for (int version = 1; version <= 3; version++) {
      cells = new double[100_000 * (version % 2) + rank];
      Arrays.fill(cells, version);
      neighbours = new int[rank + version][];
      for (int row = 0; row < neighbours.length; row++) {
        neighbours[row] = new int[] {row, version};
      }
      neighbours[0] = new int[rank];
      flux = Buf.allocateLongs(version + rank);
      flux.putLong(rank, version);
      checkpoint.saveAsync(version);
    }
    cells = new double[5];
    neighbours = new int[0][];
    flux = Buf.allocateLongs(1000);
    assertThat(checkpoint.restore()).hasValue(3);
    assertThat(cells).hasSize(100_000 + rank).containsOnly(3);
    assertThat(neighbours).hasNumberOfRows(rank + 3);
    assertThat(neighbours[0]).hasSize(rank);
    assertThat(neighbours[rank + 2]).containsExactly(rank + 2, 3);
    assertThat(flux.count()).isEqualTo(3 + rank);
    assertThat(flux.getLong(rank)).isEqualTo(3);
    checkpoint.save(4);
    assertThat(checkpoint.restore()).hasValue(4);
  }

  @RanksTest(n = 2)
  void numbersOfTheBodyComeBack(Mpi mpi) {
    Checkpoint checkpoint = checkpoint(mpi);
    LongRef step = checkpoint.longRef("step");
    DoubleRef sum = checkpoint.doubleRef("sum");
    step.set(5);
    sum.set(-0.0);
    checkpoint.save(1);
    assertThat(step.add(2)).isEqualTo(7);
    assertThat(sum.add(0.5)).isEqualTo(0.5);
    assertThat(checkpoint.restore()).hasValue(1);
    assertThat(step.get()).isEqualTo(5);
    assertThat(step).hasToString("5");
    assertThat(Double.doubleToRawLongBits(sum.get())).isEqualTo(Double.doubleToRawLongBits(-0.0));
    assertThat(sum).hasToString("-0.0");
  }

  /** InitialDataTest has deaths. */
  @RanksTest(n = 2)
  void beforeTheFirstSaveDataAreAsTheyWereUnlessNoCopyIsWanted(Mpi mpi) {
    for (boolean isKept : new boolean[] {true, false}) {
      System.setProperty(CheckpointConfig.INITIAL.property(), String.valueOf(isKept));
      try {
        Checkpoint checkpoint = checkpoint(mpi);
        double[] x = {1};
        checkpoint.protect("x", x);
        assertThat(checkpoint.restore()).isEmpty();
        x[0] = 2;
        assertThat(checkpoint.restore()).isEmpty();
        assertThat(x).containsExactly(isKept ? 1 : 2);
      } finally {
        System.clearProperty(CheckpointConfig.INITIAL.property());
      }
    }
  }

  /** The next epoch will have protected 10 numbers under one name when it restores. */
  @RanksTest(n = 2)
  void whatTheNextEpochCouldNotRestoreIsRefusedAtTheSave(Mpi mpi) {
    Checkpoint checkpoint = checkpoint(mpi);
    checkpoint.protect("x", new double[10]);
    assertThat(checkpoint.restore()).isEmpty();
    checkpoint.save(1);
    if (mpi.world().rank() == 1) {
      checkpoint.protect("x", new double[11]);
    }
    assertThatThrownBy(() -> checkpoint.save(2)).isInstanceOf(CheckpointException.class)
        .hasMessageContaining("rank 1 cannot save version 2")
        .hasMessageContaining("then there was x: 10 x double; now there is x: 11 x double. ")
        .hasMessageContaining("getter and a setter");
    checkpoint.protect("x", new double[10]);
    checkpoint.protect("y", new double[1]);
    checkpoint.saveAsync(2);
    assertThatThrownBy(checkpoint::awaitSave).isInstanceOf(CheckpointException.class)
        .hasMessageContaining("now there is y: 1 x double");
    // As after a failure.
    CheckpointAccess.get().bind(checkpoint, mpi.world());
    checkpoint.protect("x", new double[10]);
    assertThat(checkpoint.restore()).hasValue(1);
  }

  @RanksTest(n = 2)
  void scalarsComeBackThroughTheirSetters(Mpi mpi) {
    Checkpoint checkpoint = checkpoint(mpi);
    long[] whole = {Long.MIN_VALUE + mpi.world().rank()};
    double[] real = {-0.0};
    checkpoint.protect("whole", () -> whole[0], value -> whole[0] = value);
    checkpoint.protect("real", () -> real[0], value -> real[0] = value);
    checkpoint.save(1);
    whole[0] = 5;
    real[0] = 5;
    assertThat(checkpoint.restore()).hasValue(1);
    assertThat(whole[0]).isEqualTo(Long.MIN_VALUE + mpi.world().rank());
    assertThat(Double.doubleToRawLongBits(real[0])).isEqualTo(Double.doubleToRawLongBits(-0.0));
  }

  /** An object with fields to protect. */
  private static class Base {
    @Protect
    private long step = 3;
  }

  /** An object with more of them. */
  private static final class Solver extends Base {
    @Protect
    private double residual = 0.25;
    @Protect
    private boolean converged = true;
    @Protect
    private char letter = 'k';
    @Protect
    private float[] field = {1, 2};
    @Protect
    private final double[][] grid = {{1, 2}, {3, 4}};
    @Protect
    private ArrayList<String> log = new ArrayList<>(List.of("begun"));
    private int untouched = 5;
  }

  @RanksTest(n = 2)
  void annotatedFieldsComeBack(Mpi mpi) {
    Checkpoint checkpoint = checkpoint(mpi);
    Solver solver = new Solver();
    checkpoint.protectFields("solver", solver);
    checkpoint.save(1);
    ((Base) solver).step = 0;
    solver.residual = 0;
    solver.converged = false;
    solver.letter = 0;
    solver.field = new float[2];
    solver.grid[1][1] = 0;
    solver.log.add("forgotten");
    solver.untouched = 6;
    assertThat(checkpoint.restore()).hasValue(1);
    assertThat(((Base) solver).step).isEqualTo(3);
    assertThat(solver.residual).isEqualTo(0.25);
    assertThat(solver.converged).isTrue();
    assertThat(solver.letter).isEqualTo('k');
    assertThat(solver.field).containsExactly(1, 2);
    assertThat(solver.grid).isDeepEqualTo(new double[][] {{1, 2}, {3, 4}});
    assertThat(solver.log).containsExactly("begun");
    assertThat(solver.untouched).isEqualTo(6);
  }

  /** Nothing in it can be protected. */
  private static final class Wrong {
    @Protect
    private final Thread thread = new Thread();
  }

  @RanksTest(n = 1)
  void whatCannotBeProtectedIsNamed(Mpi mpi) {
    Checkpoint checkpoint = checkpoint(mpi);
    assertThatThrownBy(() -> checkpoint.protectFields("x", new Wrong()))
        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("Wrong.thread")
        .hasMessageContaining("java.lang.Thread");
    assertThatThrownBy(() -> checkpoint.protectFields("x", "text"))
        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("java.lang.String").hasMessageContaining("@Protect");
    assertThatThrownBy(() -> checkpoint.protect("x", (double[]) null)).hasMessageContaining("'x'");
  }

  @RanksTest(n = 3)
  void objectsMayChangeTheirLength(Mpi mpi) {
    Checkpoint checkpoint = checkpoint(mpi);
    String[] text = {"short"};
    int[] behind = {9};
    checkpoint.protectObject("text", String.class, () -> text[0], value -> text[0] = value);
    checkpoint.protect("next", behind);
    checkpoint.save(1);
    text[0] = "longer than before ".repeat(1000 * (1 + mpi.world().rank()));
    String saved = text[0];
    checkpoint.save(2);
    text[0] = null;
    behind[0] = 0;
    assertThat(checkpoint.restore()).hasValue(2);
    assertThat(text[0]).isEqualTo(saved);
    assertThat(behind[0]).isEqualTo(9);
  }

  @RanksTest(n = 2)
  void anObjectThatCannotBeSerializedOnOneRankIsReportedToAll(Mpi mpi) {
    Checkpoint checkpoint = checkpoint(mpi);
    ArrayList<Object> list = new ArrayList<>();
    checkpoint.protectObject("list", ArrayList.class, () -> list, value -> list.size());
    checkpoint.save(1);
    if (mpi.world().rank() == 1) {
      list.add(new ByteArrayOutputStream());
    }
    assertThatThrownBy(() -> checkpoint.save(2)).isInstanceOf(CheckpointException.class)
        .hasMessageContaining("rank 1").hasMessageContaining("ByteArrayOutputStream");
    assertThat(checkpoint.restore()).hasValue(1);
  }

  @RanksTest(n = 2)
  void whatHasChangedBetweenSaveAndRestoreIsNamedAndNothingIsTouched(Mpi mpi) {
    Checkpoint checkpoint = checkpoint(mpi);
    checkpoint.protect("x", new double[10]);
    checkpoint.save(1);
    int length = mpi.world().rank() == 0 ? 11 : 10;
    double[] other = new double[length];
    other[0] = 4;
    checkpoint.protect("x", other);
    assertThatThrownBy(checkpoint::restore).isInstanceOf(CheckpointException.class)
        .hasMessageContaining("rank 0").hasMessageContaining("Saved:\nx: 10 x double\nProtected:\nx: 11 x double");
    assertThat(other[0]).isEqualTo(4);
    checkpoint.protect("x", new double[10]);
    assertThat(checkpoint.restore()).hasValue(1);
  }

  /** All of its bytes are saved and restored, and another allocation has others. */
  @RanksTest(n = 1)
  void aViewOfAnotherAllocationIsADifference(Mpi mpi) {
    Checkpoint checkpoint = checkpoint(mpi);
    try (Buf small = Buf.allocateBytes(40); Buf large = Buf.allocateBytes(4000)) {
      checkpoint.protect("x", small.as(Datatype.DOUBLE, 5));
      checkpoint.save(1);
      checkpoint.protect("x", large.as(Datatype.DOUBLE, 5));
      assertThatThrownBy(checkpoint::restore).isInstanceOf(CheckpointException.class).hasMessageContaining("in 4000 bytes");
    }
  }

  @RanksTest(n = 2)
  void aBufferThatIsClosedOnOneRankIsReportedToAll(Mpi mpi) {
    Checkpoint checkpoint = checkpoint(mpi);
    Buf buf = Buf.allocateDoubles(5);
    checkpoint.protect("x", buf);
    checkpoint.save(1);
    if (mpi.world().rank() == 1) {
      buf.close();
    }
    assertThatThrownBy(() -> checkpoint.save(2)).isInstanceOf(CheckpointException.class)
        .hasMessageContaining("rank 1 cannot save version 2").hasMessageContaining("closed");
    assertThatThrownBy(checkpoint::restore).isInstanceOf(CheckpointException.class)
        .hasMessageContaining("rank 1 cannot bring back version 1").hasMessageContaining("closed");
    try (Buf other = Buf.allocateDoubles(5)) {
      checkpoint.protect("x", other);
      assertThat(checkpoint.restore()).hasValue(1);
    }
  }

  @RanksTest(n = 2)
  void anObjectThatCannotBeReadBackOnOneRankIsReportedToAll(Mpi mpi) {
    Checkpoint checkpoint = checkpoint(mpi);
    Stubborn stubborn = new Stubborn();
    checkpoint.protectObject("x", Stubborn.class, () -> stubborn, value -> {});
    checkpoint.save(1);
    Stubborn.refuses = mpi.world().rank() == 1;
    assertThatThrownBy(checkpoint::restore).isInstanceOf(CheckpointException.class)
        .hasMessageContaining("rank 1 cannot bring back version 1").hasMessageContaining("not today");
    Stubborn.refuses = false;
    assertThat(checkpoint.restore()).hasValue(1);
  }

  /** Two buffers of which one is read while the other is written, and which change places. */
  private static final class Swapping {
    @Protect
    private Buf current = Buf.allocateDoubles(1);
    private Buf next = Buf.allocateDoubles(1);

    void swap() {
      Buf old = current;
      current = next;
      next = old;
    }
  }

  @RanksTest(n = 1)
  void aProtectedFieldIsTheBufferThatItHasWhenItIsSaved(Mpi mpi) {
    Checkpoint checkpoint = checkpoint(mpi);
    Swapping solver = new Swapping();
    checkpoint.protectFields("solver", solver);
    solver.swap();
    solver.current.putDouble(0, 7);
    checkpoint.save(1);
    solver.swap();
    assertThat(checkpoint.restore()).hasValue(1);
    assertThat(solver.current.getDouble(0)).isEqualTo(7);
  }

  @RanksTest(n = 2)
  void aVersionThatIsNotNewerIsRefused(Mpi mpi) {
    Checkpoint checkpoint = checkpoint(mpi);
    checkpoint.protect("x", new int[1]);
    checkpoint.save(7);
    assertThatThrownBy(() -> checkpoint.save(7)).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("version 7 is not larger than the last one, 7");
    checkpoint.save(8);
    assertThat(checkpoint.restore()).hasValue(8);
  }

  @RanksTest(n = 3)
  void aDroppedVersionDoesNotComeBack(Mpi mpi) {
    Checkpoint checkpoint = checkpoint(mpi);
    int[] data = {1};
    checkpoint.protect("data", data);
    checkpoint.save(1);
    data[0] = 2;
    checkpoint.save(2);
    assertThat(checkpoint.versions()).containsExactly(1L, 2L);
    checkpoint.drop(2);
    assertThat(checkpoint.versions()).containsExactly(1L);
    assertThat(checkpoint.restore()).hasValue(1);
    assertThat(data[0]).isEqualTo(1);
    checkpoint.drop(1);
    assertThat(checkpoint.restore()).isEmpty();
  }

  @RanksTest(n = 3)
  void dataMayChangeWhileItIsSavedInTheBackground(Mpi mpi) {
    Checkpoint checkpoint = checkpoint(mpi);
    double[] data = new double[300_000];
    checkpoint.protect("data", data);
    for (int version = 1; version <= 4; version++) {
      data[data.length - 1] = version;
      checkpoint.saveAsync(version);
      data[data.length - 1] = -1;
    }
    checkpoint.awaitSave();
    checkpoint.awaitSave();
    assertThat(checkpoint.restore()).hasValue(4);
    assertThat(data[data.length - 1]).isEqualTo(4);
    assertThat(checkpoint.costs()).hasSize(1);
    LevelCost cost = checkpoint.costs().get(0);
    assertThat(cost.level()).isEqualTo("memory");
    assertThat(cost.saves()).isEqualTo(4);
    assertThat(cost.bytes()).isGreaterThan(4 * 8 * 300_000L);
    assertThat(cost.throughput()).isGreaterThan(0);
  }
}
