// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Tag;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.CartComm;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Datatype;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.Request;
import org.kintsugi.test.RanksTest;

/** Layouts reckoned in Java against those of MPI, and transfers between unlike layouts of the same signature. */
@Tag("flavours")
class DatatypesTest {
  private static final int ROWS = 4;
  private static final int COLUMNS = 3;
  private static final List<Datatype> PREDEFINED = List.of(Datatype.BYTE, Datatype.SHORT, Datatype.CHAR, Datatype.INT,
      Datatype.LONG, Datatype.FLOAT, Datatype.DOUBLE, Datatype.DOUBLE_INT);

  private static Datatype random(SplittableRandom random, List<Datatype> made) {
    Datatype old = made.get(random.nextInt(made.size()));
    int count = random.nextInt(4);
    int[] lengths = random.ints(count, 0, 4).toArray();
    return switch (random.nextInt(5)) {
      case 0 -> Datatype.contiguous(count, old);
      case 1 -> Datatype.vector(count, random.nextInt(4), random.nextInt(-5, 6), old);
      case 2 -> Datatype.indexed(lengths, random.ints(count, -6, 7).toArray(), old);
      case 3 -> Datatype.struct(lengths, random.longs(count, -40, 41).toArray(),
          random.ints(count, 0, made.size()).mapToObj(made::get).toArray(Datatype[]::new));
      default -> old.resized(random.nextInt(-9, 10), random.nextInt(0, 99));
    };
  }

  @RanksTest(n = 1)
  void mpiLaysOutWhatIsReckoned(Mpi mpi) {
    SplittableRandom random = new SplittableRandom(20261125);
    for (int series = 0; series < 300; series++) {
      List<Datatype> made = new ArrayList<>(PREDEFINED);
      for (int i = 0; i < 6; i++) {
        Datatype type = random(random, made);
        assertThat(type.handle()).as("%s, series %d", type, series).isNotZero(); // compares, and throws what differs
        made.add(type);
      }
      made.forEach(Datatype::close);
    }
  }

  @RanksTest(n = 1)
  void bytesMayBeInReverseOrder(Mpi mpi) {
    try (Datatype backwards = Datatype.vector(3, 1, -1, Datatype.BYTE);
        Datatype placed = Datatype.struct(new int[] {1}, new long[] {2}, new Datatype[] {backwards})) {
      byte[] in = new byte[3];
      mpi.self().sendRecv(Buf.copyOf((byte) 1, (byte) 2, (byte) 3), 0, 1, Buf.wrap(in).as(placed, 1), 0, 1);
      assertThat(in).containsExactly(3, 2, 1);
    }
  }

  @RanksTest(n = 1)
  void whatItIsMadeFromMayBeClosed(Mpi mpi) {
    Datatype pair = Datatype.contiguous(2, Datatype.DOUBLE);
    try (Datatype pairs = pair.resized(0, 32)) {
      pair.close();
      assertThatThrownBy(() -> pair.handle()).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
      assertThatThrownBy(() -> Datatype.contiguous(2, pair)).isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("closed");
      double[] in = new double[6];
      mpi.self().sendRecv(Buf.wrap(new double[] {1, 2, 3, 4, 5, 6}).as(pairs, 2), 0, 1, Buf.wrap(in), 0, 1);
      assertThat(in).containsExactly(1, 2, 5, 6, 0, 0);
    }
  }

  /** A matrix, row by row: element (i, j) is 100 rank + 10 i + j. */
  private static double[] matrix(int rank) {
    double[] matrix = new double[ROWS * COLUMNS];
    Arrays.setAll(matrix, i -> 100 * rank + 10 * (i / COLUMNS) + i % COLUMNS);
    return matrix;
  }

  private static double[] columnOf(int rank, int j) {
    double[] column = new double[ROWS];
    Arrays.setAll(column, i -> 100 * rank + 10 * i + j);
    return column;
  }

  private static double[] columnsOf(int ranks, int j) {
    DoubleStream all = DoubleStream.empty();
    for (int rank = 0; rank < ranks; rank++) {
      all = DoubleStream.concat(all, Arrays.stream(columnOf(rank, j)));
    }
    return all.toArray();
  }

  @RanksTest(n = {1, 2, 3})
  void columnsAreGatheredIntoContiguousData(Mpi mpi) {
    Comm world = mpi.world();
    int n = world.size();
    int me = world.rank();
    int root = n - 1;
    int[] counts = new int[n];
    Arrays.fill(counts, ROWS);
    int[] places = new int[n];
    Arrays.setAll(places, i -> i * ROWS);
    double[] matrix = matrix(me);
    try (Datatype column = Datatype.vector(ROWS, 1, COLUMNS, Datatype.DOUBLE)) {
      Buf part = Buf.wrap(matrix, 1, matrix.length - 1).as(column, 1);
      for (int form = 0; form < 6; form++) {
        double[] all = new double[n * ROWS];
        Buf whole = form % 2 == 0 && me != root ? null : Buf.wrap(all);
        switch (form) {
          case 0 -> world.gather(part, whole, root);
          case 1 -> world.allGather(part, whole);
          case 2 -> world.gatherV(part, whole, counts, places, root);
          case 3 -> world.allGatherV(part, whole, counts, places);
          case 4 -> world.iGather(part, whole, root).waitFor();
          default -> world.iAllGather(part, whole).waitFor();
        }
        assertThat(all).as("form %d", form).isEqualTo(whole == null ? new double[n * ROWS] : columnsOf(n, 1));
      }
      // Back: contiguous data become a column.
      double[] parts = columnsOf(n, 2);
      world.scatter(me == root ? Buf.wrap(parts) : null, part, root);
      for (int i = 0; i < ROWS; i++) {
        assertThat(matrix[i * COLUMNS + 1]).isEqualTo(100 * me + 10 * i + 2);
        assertThat(matrix[i * COLUMNS]).as("beside it").isEqualTo(100 * me + 10 * i);
      }
      world.scatterV(me == root ? Buf.wrap(columnsOf(n, 0)) : null, counts, places, part, root);
      assertThat(matrix[1]).isEqualTo(100 * me);
    }
  }

  @RanksTest(n = {1, 2, 3})
  void columnsAreExchanged(Mpi mpi) {
    Comm world = mpi.world();
    int n = world.size();
    int me = world.rank();
    double[] wide = new double[ROWS * n]; // column j goes to rank j
    Arrays.setAll(wide, i -> 100 * me + 10 * (i / n) + i % n);
    int[] ones = new int[n];
    Arrays.fill(ones, 1);
    int[] rows = new int[n];
    Arrays.fill(rows, ROWS);
    int[] places = new int[n];
    Arrays.setAll(places, i -> i);
    int[] rowPlaces = new int[n];
    Arrays.setAll(rowPlaces, i -> i * ROWS);
    try (Datatype spread = Datatype.vector(ROWS, 1, n, Datatype.DOUBLE); Datatype column = spread.resized(0, Double.BYTES)) {
      Buf send = Buf.wrap(wide).as(column, n);
      for (int form = 0; form < 4; form++) {
        double[] received = new double[n * ROWS];
        Buf receive = Buf.wrap(received);
        switch (form) {
          case 0 -> world.allToAll(send, receive);
          case 1 -> world.allToAllV(send, ones, places, receive, rows, rowPlaces);
          case 2 -> Request.waitAll(world.iAllToAll(send, receive));
          default -> Request.waitAll(world.iAllToAllV(send, ones, places, receive, rows, rowPlaces));
        }
        assertThat(received).as("form %d", form).isEqualTo(columnsOf(n, me));
      }
      try (CartComm ring = world.cart(new int[] {n}, new boolean[] {true}, false)) {
        double[] around = new double[2 * ROWS];
        ring.neighbourAllGather(send.slice(0, 1), Buf.wrap(around));
        assertThat(Arrays.copyOf(around, ROWS)).isEqualTo(columnOf((me + n - 1) % n, 0));
        assertThat(Arrays.copyOfRange(around, ROWS, 2 * ROWS)).isEqualTo(columnOf((me + 1) % n, 0));
      }
    }
  }

  @RanksTest(n = {1, 2})
  void unlikeSignaturesAreRefused(Mpi mpi) {
    Comm world = mpi.world();
    int n = world.size();
    double[] matrix = matrix(0);
    try (Datatype column = Datatype.vector(ROWS, 1, COLUMNS, Datatype.DOUBLE);
        Datatype again = Datatype.vector(ROWS, 1, COLUMNS, Datatype.DOUBLE)) {
      Buf part = Buf.wrap(matrix).as(column, 1);
      assertThatThrownBy(() -> world.allGather(part, Buf.allocateLongs(ROWS * n))).isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("type signatures differ").hasMessageContaining("vector of 4").hasMessageContaining("Long");
      assertThatThrownBy(() -> world.allGather(Buf.wrap(matrix, 0, 2), Buf.allocateDoubles(n * ROWS * COLUMNS).as(column, n)))
          .hasMessageContaining("no whole number");
      assertThatThrownBy(() -> world.allGather(part, Buf.allocateDoubles(ROWS * n - 1)))
          .hasMessageContaining("needs " + ROWS * n);
      int[] counts = new int[n];
      Arrays.fill(counts, ROWS - 1);
      assertThatThrownBy(() -> world.allGatherV(part, Buf.allocateDoubles(n * ROWS), counts, new int[n]))
          .hasMessageContaining("to itself").hasMessageContaining("counts[" + world.rank() + "]");
      // MPI takes one datatype for both buffers of a reduction.
      assertThatThrownBy(() -> world.allReduce(part, Buf.allocateDoubles(ROWS), Op.SUM)).hasMessageContaining("datatypes differ");
      try (Op sum = Op.of(column, true, (in, inOut, count) -> inOut.putDouble(3, in.getDouble(3) + inOut.getDouble(3)))) {
        double[] result = new double[matrix.length];
        world.allReduce(part, Buf.wrap(result).as(again, 1), sum);
        assertThat(result[3]).as("made in the same way").isEqualTo(10 * n);
      }
    }
    assertThat(world.allReduce(1, Op.SUM)).isEqualTo(n);
  }
}
