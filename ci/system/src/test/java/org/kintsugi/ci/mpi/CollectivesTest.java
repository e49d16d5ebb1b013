// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Datatype;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.PersistentRequest;
import org.kintsugi.mpi.Request;
import org.kintsugi.mpi.TypedParts;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.RanksTest;

/** Every collective, blocking and nonblocking, against values computed by hand. */
@Tag("flavours")
class CollectivesTest {
  private static int[] ranks(int size, int factor) {
    int[] values = new int[size];
    for (int i = 0; i < size; i++) {
      values[i] = i * factor;
    }
    return values;
  }

  @RanksTest(n = {1, 2, 3, 4})
  void broadcastReduceAndScan(Mpi mpi) {
    Comm world = mpi.world();
    int n = world.size();
    int me = world.rank();
    int root = n - 1;
    int sum = n * (n - 1) / 2;
    for (boolean blocking : new boolean[] {true, false}) {
      int[] value = {me == root ? 42 : 0};
      int[] result = {-1};
      if (blocking) {
        world.bcast(Buf.wrap(value), root);
        world.reduce(Buf.copyOf(me), Buf.wrap(result), Op.SUM, root);
      } else {
        Request.waitAll(world.iBcast(Buf.wrap(value), root), world.iReduce(Buf.copyOf(me), Buf.wrap(result), Op.SUM, root));
      }
      assertThat(value[0]).isEqualTo(42);
      assertThat(result[0]).isEqualTo(me == root ? sum : -1);
      int[] all = new int[1];
      int[] scan = new int[1];
      int[] exScan = {0};
      if (blocking) {
        world.allReduce(Buf.copyOf(me), Buf.wrap(all), Op.MAX);
        world.scan(Buf.copyOf(me), Buf.wrap(scan), Op.SUM);
        world.exScan(Buf.copyOf(me), Buf.wrap(exScan), Op.SUM);
        world.barrier();
      } else {
        Request.waitAll(world.iAllReduce(Buf.copyOf(me), Buf.wrap(all), Op.MAX),
            world.iScan(Buf.copyOf(me), Buf.wrap(scan), Op.SUM),
            world.iExScan(Buf.copyOf(me), Buf.wrap(exScan), Op.SUM), world.iBarrier());
      }
      assertThat(all[0]).isEqualTo(n - 1);
      assertThat(scan[0]).isEqualTo(me * (me + 1) / 2);
      if (me > 0) {
        assertThat(exScan[0]).isEqualTo(me * (me - 1) / 2);
      }
    }
    double[] inPlace = {me, 1};
    world.allReduce(Buf.wrap(inPlace), Op.SUM);
    assertThat(inPlace).containsExactly(sum, n);
    int[] atRoot = {me};
    world.reduce(Buf.wrap(atRoot), Op.SUM, root);
    assertThat(atRoot[0]).isEqualTo(me == root ? sum : me);
  }

  /** The values do not fit a narrower type: a form that used one would lose them. */
  @RanksTest(n = {1, 2, 3, 4})
  void collectivesOfSingleNumbers(Mpi mpi) {
    Comm world = mpi.world();
    int n = world.size();
    int me = world.rank();
    int before = me * (me - 1) / 2;
    int sum = n * (n - 1) / 2;
    long far = 1L << 40;
    assertThat(world.bcast(me == n - 1 ? Integer.MIN_VALUE + n : 0, n - 1)).isEqualTo(Integer.MIN_VALUE + n);
    assertThat(world.bcast(me == 0 ? -far : 0, 0)).isEqualTo(-far);
    assertThat(world.bcast(me == 0 ? Math.PI : Double.NaN, 0)).isEqualTo(Math.PI);
    assertThat(world.allReduce(-me, Op.SUM)).isEqualTo(-sum);
    assertThat(world.allReduce(me * far, Op.SUM)).isEqualTo(sum * far);
    assertThat(world.allReduce(0.5 * me, Op.SUM)).isEqualTo(0.5 * sum);
    assertThat(world.scan(-me, Op.SUM)).isEqualTo(-before - me);
    assertThat(world.scan(me * far, Op.SUM)).isEqualTo((before + me) * far);
    assertThat(world.scan(0.5 * me, Op.MAX)).isEqualTo(0.5 * me);
    assertThat(world.exScan(-me, Op.SUM, -9)).isEqualTo(me == 0 ? -9 : -before);
    assertThat(world.exScan(me * far, Op.SUM, far)).isEqualTo(me == 0 ? far : before * far);
    assertThat(world.exScan(me + 0.5, Op.MAX, -1.0)).isEqualTo(me - (me == 0 ? 1 : 0.5));
    try (Op larger = Op.of(Datatype.INT, true, (in, inOut, count) -> inOut.putInt(0, Math.max(in.getInt(0), inOut.getInt(0))))) {
      assertThat(world.allReduce(me - 9, larger)).isEqualTo(n - 10);
      assertThatThrownBy(() -> world.allReduce((long) me, larger)).isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> world.bcast(1.0, n)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("root " + n);
  }

  @RanksTest(n = {1, 2, 3, 4})
  void gatherScatterAndAllToAll(Mpi mpi) {
    Comm world = mpi.world();
    int n = world.size();
    int me = world.rank();
    for (boolean blocking : new boolean[] {true, false}) {
      int[] gathered = me == 0 ? new int[n] : null;
      int[] part = new int[1];
      int[] everywhere = new int[n];
      int[] exchanged = new int[n];
      Buf root = gathered == null ? null : Buf.wrap(gathered);
      Buf parts = me == 0 ? Buf.wrap(ranks(n, 3)) : null;
      if (blocking) {
        world.gather(Buf.copyOf(me * 10), root, 0);
        world.scatter(parts, Buf.wrap(part), 0);
        world.allGather(Buf.copyOf(me), Buf.wrap(everywhere));
        world.allToAll(Buf.wrap(ranks(n, me + 1)), Buf.wrap(exchanged));
      } else {
        Request.waitAll(world.iGather(Buf.copyOf(me * 10), root, 0), world.iScatter(parts, Buf.wrap(part), 0),
            world.iAllGather(Buf.copyOf(me), Buf.wrap(everywhere)),
            world.iAllToAll(Buf.wrap(ranks(n, me + 1)), Buf.wrap(exchanged)));
      }
      if (me == 0) {
        assertThat(gathered).isEqualTo(ranks(n, 10));
      }
      assertThat(part[0]).isEqualTo(3 * me);
      assertThat(everywhere).isEqualTo(ranks(n, 1));
      for (int i = 0; i < n; i++) {
        assertThat(exchanged[i]).isEqualTo(me * (i + 1));
      }
    }
    int[] inPlace = new int[n];
    inPlace[me] = me;
    world.allGather(Buf.wrap(inPlace));
    assertThat(inPlace).isEqualTo(ranks(n, 1));
  }

  @RanksTest(n = {1, 3})
  void variantsWithDifferentLengths(Mpi mpi) {
    Comm world = mpi.world();
    int n = world.size();
    int me = world.rank();
    int[] counts = new int[n];
    int[] displacements = new int[n];
    int total = 0;
    for (int i = 0; i < n; i++) {
      counts[i] = i + 1;
      displacements[i] = total;
      total += i + 1;
    }
    int[] mine = new int[me + 1];
    Arrays.fill(mine, me);
    int[] expected = new int[total];
    for (int i = 0; i < n; i++) {
      Arrays.fill(expected, displacements[i], displacements[i] + counts[i], i);
    }
    for (boolean blocking : new boolean[] {true, false}) {
      int[] everywhere = new int[total];
      int[] atRoot = new int[total];
      int[] back = new int[me + 1];
      int[] part = new int[me + 1];
      if (blocking) {
        world.allGatherV(Buf.wrap(mine), Buf.wrap(everywhere), counts, displacements);
        world.gatherV(Buf.wrap(mine), me == 0 ? Buf.wrap(atRoot) : null, counts, displacements, 0);
        world.scatterV(me == 0 ? Buf.wrap(expected) : null, counts, displacements, Buf.wrap(back), 0);
        world.reduceScatter(Buf.wrap(expected), Buf.wrap(part), counts, Op.SUM);
      } else {
        Request.waitAll(world.iAllGatherV(Buf.wrap(mine), Buf.wrap(everywhere), counts, displacements),
            world.iGatherV(Buf.wrap(mine), me == 0 ? Buf.wrap(atRoot) : null, counts, displacements, 0),
            world.iScatterV(me == 0 ? Buf.wrap(expected) : null, counts, displacements, Buf.wrap(back), 0),
            world.iReduceScatter(Buf.wrap(expected), Buf.wrap(part), counts, Op.SUM));
      }
      assertThat(everywhere).isEqualTo(expected);
      if (me == 0) {
        assertThat(atRoot).isEqualTo(expected);
      }
      assertThat(back).isEqualTo(mine);
      assertThat(part).containsOnly(me * n);
    }
    int[] ones = new int[n];
    Arrays.fill(ones, 1);
    int[] out = new int[n];
    world.allToAllV(Buf.wrap(ranks(n, me + 1)), ones, ranks(n, 1), Buf.wrap(out), ones, ranks(n, 1));
    for (int i = 0; i < n; i++) {
      assertThat(out[i]).isEqualTo(me * (i + 1));
    }
    int[] block = new int[1];
    world.reduceScatterBlock(Buf.wrap(ranks(n, 2)), Buf.wrap(block), Op.SUM);
    assertThat(block[0]).isEqualTo(2 * me * n);
    world.iReduceScatterBlock(Buf.wrap(ranks(n, 2)), Buf.wrap(block), Op.MAX).waitFor();
    assertThat(block[0]).isEqualTo(2 * me);
  }

  /** Each rank sends an int and a double to each: two datatypes in one buffer, by turns over the ranks. */
  @RanksTest(n = {1, 2, 3})
  void partsOfDifferentTypes(Mpi mpi) {
    Comm world = mpi.world();
    int n = world.size();
    int me = world.rank();
    int[] counts = new int[n];
    int[] places = new int[n];
    Datatype[] sent = new Datatype[n];
    Datatype[] received = new Datatype[n];
    for (int i = 0; i < n; i++) {
      counts[i] = 1;
      places[i] = 8 * i;
      // Elements for and from an odd rank are doubles.
      sent[i] = i % 2 == 1 ? Datatype.DOUBLE : Datatype.LONG;
      received[i] = me % 2 == 1 ? Datatype.DOUBLE : Datatype.LONG;
    }
    TypedParts out = TypedParts.of(counts, places, sent);
    TypedParts in = TypedParts.of(counts, places, received);
    ByteBuffer from = ByteBuffer.allocateDirect(8 * n).order(ByteOrder.nativeOrder());
    ByteBuffer to = ByteBuffer.allocateDirect(8 * n).order(ByteOrder.nativeOrder());
    for (int i = 0; i < n; i++) {
      if (i % 2 == 1) {
        from.putDouble(8 * i, me + 0.5);
      } else {
        from.putLong(8 * i, 100 + me);
      }
    }
    List<Runnable> forms = new ArrayList<>(List.of(() -> world.allToAllW(Buf.wrap(from), out, Buf.wrap(to), in),
        () -> world.iAllToAllW(Buf.wrap(from), out, Buf.wrap(to), in).waitFor()));
    if (Flavour.current() == Flavour.ULFM) { // the Reinit++ fork has no persistent collectives
      forms.add(() -> {
        try (PersistentRequest exchange = world.allToAllWInit(Buf.wrap(from), out, Buf.wrap(to), in)) {
          exchange.start();
          exchange.waitFor();
        }
      });
    }
    for (Runnable form : forms) {
      form.run();
      for (int i = 0; i < n; i++) {
        if (me % 2 == 1) {
          assertThat(to.getDouble(8 * i)).isEqualTo(i + 0.5);
        } else {
          assertThat(to.getLong(8 * i)).isEqualTo(100 + i);
        }
        to.putLong(8 * i, 0);
      }
    }
    Buf small = Buf.allocateBytes(8 * n - 1);
    assertThatThrownBy(() -> world.allToAllW(small, out, Buf.wrap(to), in)).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("part " + (n - 1)).hasMessageContaining("send has " + (8 * n - 1));
  }

  @RanksTest(n = {1, 2, 4})
  void reductionsWrittenInJava(Mpi mpi) {
    Comm world = mpi.world();
    try (Op smallestBySquare = Op.of(Datatype.DOUBLE, true, (in, inOut, count) -> {
      for (int i = 0; i < count; i++) {
        double a = in.getDouble(i);
        double b = inOut.getDouble(i);
        inOut.putDouble(i, a * a < b * b ? a : b);
      }
    })) {
      double[] result = new double[2];
      world.allReduce(Buf.copyOf(-1.0 - world.rank(), 5.0), Buf.wrap(result), smallestBySquare);
      assertThat(result).containsExactly(-1.0, 5.0);
    }
    try (Op broken = Op.of(Datatype.INT, true, (in, inOut, count) -> {
      throw new ArithmeticException("on purpose");
    })) {
      if (world.size() == 2) {
        assertThatThrownBy(() -> world.allReduce(Buf.copyOf(1), Buf.wrap(new int[1]), broken))
            .isInstanceOf(ArithmeticException.class).hasMessage("on purpose");
      }
    }
    assertThat(world.allReduce(1L, Op.SUM)).isEqualTo(world.size());
  }
}
