// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Intercomm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.PersistentRequest;
import org.kintsugi.mpi.Request;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.RanksTest;

/** Every collective in place and as a persistent request, on arrays and off-heap; values computed by hand. */
@Tag("flavours")
class InPlaceAndPersistentTest {
  /** One way to run a collective: on values, which it changes. */
  private interface Form {
    void run(int[] values);
  }

  /** Fills a buffer, runs, and reads it back: an array directly, or off-heap memory. */
  private static int[] run(Form form, int... values) {
    int[] copy = values.clone();
    form.run(copy);
    return copy;
  }

  private static Form[] forms(Consumer<Buf> blocking, Function<Buf, Request> background,
      Function<Buf, PersistentRequest> persistent) {
    List<Form> forms = new ArrayList<>(List.of(
        values -> blocking.accept(Buf.wrap(values)),
        values -> offHeap(values, blocking),
        values -> background.apply(Buf.wrap(values)).waitFor(),
        values -> offHeap(values, buf -> background.apply(buf).waitFor())));
    if (Flavour.current() == Flavour.ULFM) { // the Reinit++ fork has no persistent collectives
      forms.add(values -> startTwice(values, persistent));
    }
    return forms.toArray(new Form[0]);
  }

  private static void offHeap(int[] values, Consumer<Buf> call) {
    try (Buf buf = Buf.allocateInts(values.length)) {
      for (int i = 0; i < values.length; i++) {
        buf.putInt(i, values[i]);
      }
      call.accept(buf);
      for (int i = 0; i < values.length; i++) {
        values[i] = buf.getInt(i);
      }
    }
  }

  /** The second start must see what the array holds then, not what it held at the first. */
  private static void startTwice(int[] values, Function<Buf, PersistentRequest> persistent) {
    int[] original = values.clone();
    try (PersistentRequest request = persistent.apply(Buf.wrap(values))) {
      request.start();
      request.waitFor();
      System.arraycopy(original, 0, values, 0, values.length);
      request.start();
      request.waitFor();
    }
  }

  private static int[] filled(int length, int at, int value) {
    int[] values = new int[length];
    values[at] = value;
    return values;
  }

  private static int[] range(int n, int factor, int offset) {
    return IntStream.range(0, n).map(i -> i * factor + offset).toArray();
  }

  @RanksTest(n = {1, 2, 3, 4})
  void reductionsInPlace(Mpi mpi) {
    Comm world = mpi.world();
    int n = world.size();
    int me = world.rank();
    int root = n - 1;
    int sum = n * (n - 1) / 2;
    for (Form form : forms(b -> world.bcast(b, root), b -> world.iBcast(b, root), b -> world.bcastInit(b, root))) {
      assertThat(run(form, me == root ? 7 : 0)).containsExactly(7);
    }
    for (Form form : forms(b -> world.allReduce(b, Op.SUM), b -> world.iAllReduce(b, Op.SUM),
        b -> world.allReduceInit(b, Op.SUM))) {
      assertThat(run(form, me, 1)).containsExactly(sum, n);
    }
    for (Form form : forms(b -> world.reduce(b, Op.SUM, root), b -> world.iReduce(b, Op.SUM, root),
        b -> world.reduceInit(b, Op.SUM, root))) {
      assertThat(run(form, me)).containsExactly(me == root ? sum : me);
    }
    for (Form form : forms(b -> world.scan(b, Op.SUM), b -> world.iScan(b, Op.SUM), b -> world.scanInit(b, Op.SUM))) {
      assertThat(run(form, me)).containsExactly(me * (me + 1) / 2);
    }
    for (Form form : forms(b -> world.exScan(b, Op.SUM), b -> world.iExScan(b, Op.SUM), b -> world.exScanInit(b, Op.SUM))) {
      int[] result = run(form, me);
      if (me > 0) {
        assertThat(result).containsExactly(me * (me - 1) / 2);
      }
    }
    for (Form form : forms(b -> world.reduceScatterBlock(b, Op.SUM), b -> world.iReduceScatterBlock(b, Op.SUM),
        b -> world.reduceScatterBlockInit(b, Op.SUM))) {
      assertThat(run(form, range(n, 2, 0))[0]).isEqualTo(2 * me * n);
    }
    int[] ones = range(n, 0, 1);
    for (Form form : forms(b -> world.reduceScatter(b, ones, Op.SUM), b -> world.iReduceScatter(b, ones, Op.SUM),
        b -> world.reduceScatterInit(b, ones, Op.SUM))) {
      assertThat(run(form, range(n, 3, 1))[0]).isEqualTo((3 * me + 1) * n);
    }
  }

  @RanksTest(n = {1, 2, 3, 4})
  void exchangesInPlace(Mpi mpi) {
    Comm world = mpi.world();
    int n = world.size();
    int me = world.rank();
    int[] ones = range(n, 0, 1);
    int[] places = range(n, 1, 0);
    for (Form form : forms(b -> world.allGather(b), b -> world.iAllGather(b), b -> world.allGatherInit(b))) {
      assertThat(run(form, filled(n, me, me + 5))).isEqualTo(range(n, 1, 5));
    }
    for (Form form : forms(b -> world.allGatherV(b, ones, places), b -> world.iAllGatherV(b, ones, places),
        b -> world.allGatherVInit(b, ones, places))) {
      assertThat(run(form, filled(n, me, me + 5))).isEqualTo(range(n, 1, 5));
    }
    for (Form form : forms(b -> world.allToAll(b), b -> world.iAllToAll(b), b -> world.allToAllInit(b))) {
      assertThat(run(form, range(n, 10, me))).isEqualTo(range(n, 1, 10 * me));
    }
    for (Form form : forms(b -> world.allToAllV(b, ones, places), b -> world.iAllToAllV(b, ones, places),
        b -> world.allToAllVInit(b, ones, places))) {
      assertThat(run(form, range(n, 10, me))).isEqualTo(range(n, 1, 10 * me));
    }
    int[] mine = me == 0 ? filled(n, 0, 5) : new int[] {me + 5};
    int[] gathered = me == 0 ? range(n, 1, 5) : mine;
    for (Form form : forms(b -> world.gather(b, 0), b -> world.iGather(b, 0), b -> world.gatherInit(b, 0))) {
      assertThat(run(form, mine)).isEqualTo(gathered);
    }
    for (Form form : forms(b -> world.gatherV(b, ones, places, 0), b -> world.iGatherV(b, ones, places, 0),
        b -> world.gatherVInit(b, ones, places, 0))) {
      assertThat(run(form, mine)).isEqualTo(gathered);
    }
    int[] whole = me == 0 ? range(n, 2, 1) : new int[1];
    int[] part = me == 0 ? whole : new int[] {2 * me + 1};
    for (Form form : forms(b -> world.scatter(b, 0), b -> world.iScatter(b, 0), b -> world.scatterInit(b, 0))) {
      assertThat(run(form, whole)).isEqualTo(part);
    }
    for (Form form : forms(b -> world.scatterV(b, ones, places, 0), b -> world.iScatterV(b, ones, places, 0),
        b -> world.scatterVInit(b, ones, places, 0))) {
      assertThat(run(form, whole)).isEqualTo(part);
    }
  }

  /**
   * A program that passes the same arguments on all ranks.
   *
   * <p>They say in place at the root; on other ranks the second buffer is ignored.
   */
  @RanksTest(n = {1, 3})
  void theSameBufferTwiceOnAllRanks(Mpi mpi) {
    Comm world = mpi.world();
    int n = world.size();
    int me = world.rank();
    int root = n - 1;
    int[] ones = range(n, 0, 1);
    int[] places = range(n, 1, 0);
    for (Form form : forms(b -> world.reduce(b, b, Op.SUM, root), b -> world.iReduce(b, b, Op.SUM, root),
        b -> world.reduceInit(b, b, Op.SUM, root))) {
      assertThat(run(form, me)).containsExactly(me == root ? n * (n - 1) / 2 : me);
    }
    int[] mine = me == root ? filled(n, me, me + 5) : new int[] {me + 5};
    int[] gathered = me == root ? range(n, 1, 5) : mine;
    for (Form form : forms(b -> world.gather(b, b, root), b -> world.iGather(b, b, root), b -> world.gatherInit(b, b, root))) {
      assertThat(run(form, mine)).isEqualTo(gathered);
    }
    for (Form form : forms(b -> world.gatherV(b, b, ones, places, root), b -> world.iGatherV(b, b, ones, places, root),
        b -> world.gatherVInit(b, b, ones, places, root))) {
      assertThat(run(form, mine)).isEqualTo(gathered);
    }
    int[] whole = me == root ? range(n, 2, 1) : new int[1];
    int[] part = me == root ? whole : new int[] {2 * me + 1};
    for (Form form : forms(b -> world.scatter(b, b, root), b -> world.iScatter(b, b, root), b -> world.scatterInit(b, b, root))) {
      assertThat(run(form, whole)).isEqualTo(part);
    }
    for (Form form : forms(b -> world.scatterV(b, ones, places, b, root), b -> world.iScatterV(b, ones, places, b, root),
        b -> world.scatterVInit(b, ones, places, b, root))) {
      assertThat(run(form, whole)).isEqualTo(part);
    }
  }

  @RanksTest(n = 4)
  void rootedCollectivesBetweenTwoGroups(Mpi mpi) {
    Comm world = mpi.world();
    int side = world.rank() / 2;
    try (Comm local = world.split(side, 0);
        Intercomm bridge = local.intercomm(0, world, side == 0 ? 2 : 0, 9)) {
      // Rank 0 of side 0 is the root; nobody else of its side takes part.
      int root = side == 1 ? 0 : local.rank() == 0 ? Intercomm.ROOT : Comm.PROC_NULL;
      Supplier<Buf> own = () -> side == 1 ? Buf.copyOf(world.rank()) : null;
      int[] gathered = new int[2];
      bridge.gather(own.get(), root == Intercomm.ROOT ? Buf.wrap(gathered) : null, root);
      int[] reduced = new int[1];
      bridge.iReduce(own.get(), root == Intercomm.ROOT ? Buf.wrap(reduced) : null, Op.SUM, root).waitFor();
      if (world.rank() == 0) {
        assertThat(gathered).containsExactly(2, 3);
        assertThat(reduced).containsExactly(5);
      }
      int[] received = new int[1];
      bridge.scatter(root == Intercomm.ROOT ? Buf.copyOf(8, 9) : null, side == 1 ? Buf.wrap(received) : null, root);
      if (side == 1) {
        assertThat(received).containsExactly(8 + local.rank());
      }
    }
  }
}
