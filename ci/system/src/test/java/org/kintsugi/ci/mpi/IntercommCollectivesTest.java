// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Datatype;
import org.kintsugi.mpi.Intercomm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.MpiException;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.PersistentRequest;
import org.kintsugi.mpi.Request;
import org.kintsugi.mpi.TypedParts;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.RanksTest;

/**
 * Collectives between two groups, of unlike sizes where the ranks are an odd number; values
 * computed by hand.
 */
@Tag("flavours")
class IntercommCollectivesTest {
  private static final int TAG = 9;

  /** One side's place in an intercommunicator of the ranks' two halves. */
  private static final class Side {
    final int side;
    final int own;
    final int others;
    final int me;
    final Intercomm both;

    Side(int side, Comm group, Intercomm both) {
      this.side = side;
      this.both = both;
      own = group.size();
      others = both.remoteSize();
      me = group.rank();
    }

    /** One of these is for the first side. */
    int ours(int first, int second) {
      return side == 0 ? first : second;
    }

    int theirs(int first, int second) {
      return side == 0 ? second : first;
    }

    /** What a rank of a side sends: its element number so much. */
    int value(int ofSide, int rank, int element) {
      return 1000 * (ofSide + 1) + 100 * rank + element;
    }

    int[] mine(int length) {
      return IntStream.range(0, length).map(i -> value(side, me, i)).toArray();
    }

    /** The root of a collective from, or to, that side's first rank, as this process names it. */
    int rootOf(int rootsSide) {
      return side != rootsSide ? 0 : me == 0 ? Intercomm.ROOT : Comm.PROC_NULL;
    }
  }

  private static void onBothSides(Mpi mpi, Consumer<Side> test) {
    Comm world = mpi.world();
    int first = world.size() / 2;
    int side = world.rank() < first ? 0 : 1;
    try (Comm group = world.split(side, 0);
        Intercomm both = group.intercomm(0, world, side == 0 ? first : 0, TAG)) {
      test.accept(new Side(side, group, both));
    }
  }

  /** All forms, on arrays and off-heap. An expected element of -1 is not received. */
  private static void check(int[] sent, int[] expected, BiConsumer<Buf, Buf> blocking, BiFunction<Buf, Buf, Request> nonblocking,
      BiFunction<Buf, Buf, PersistentRequest> persistent) {
    check(sent, expected, blocking);
    check(sent, expected, (from, to) -> nonblocking.apply(from, to).waitFor());
    if (Flavour.current() == Flavour.ULFM) { // the Reinit++ fork has no persistent collectives
      check(sent, expected, (from, to) -> {
        try (PersistentRequest request = persistent.apply(from, to)) {
          for (int start = 0; start < 2; start++) {
            request.start();
            request.waitFor();
          }
        }
      });
    }
  }

  private static void check(int[] sent, int[] expected, BiConsumer<Buf, Buf> form) {
    int[] array = new int[expected.length];
    Arrays.fill(array, -1);
    form.accept(Buf.wrap(sent), Buf.wrap(array));
    assertThat(array).isEqualTo(expected);
    try (Buf from = Buf.allocateInts(sent.length); Buf to = Buf.allocateInts(expected.length)) {
      for (int i = 0; i < sent.length; i++) {
        from.putInt(i, sent[i]);
      }
      for (int i = 0; i < expected.length; i++) {
        to.putInt(i, -1);
      }
      form.accept(from, to);
      for (int i = 0; i < expected.length; i++) {
        assertThat(to.getInt(i)).as("element %d off-heap", i).isEqualTo(expected[i]);
      }
    }
  }

  @RanksTest(n = {2, 5})
  void theSidesSendDifferentLengths(Mpi mpi) {
    onBothSides(mpi, at -> {
      for (int[] lengths : new int[][] {{2, 3}, {3, 0}, {0, 1}, {2, 2}}) {
        int length = at.ours(lengths[0], lengths[1]);
        int other = at.theirs(lengths[0], lengths[1]);
        int[] gathered = IntStream.range(0, at.others * other).map(i -> at.value(1 - at.side, i / other, i % other)).toArray();
        check(at.mine(length), gathered, at.both::allGather, at.both::iAllGather, at.both::allGatherInit);
        // Of what the others send to each rank here, this one gets its part.
        int[] exchanged = IntStream.range(0, at.others * other)
            .map(i -> at.value(1 - at.side, i / other, at.me * other + i % other)).toArray();
        check(at.mine(length * at.others), exchanged, at.both::allToAll, at.both::iAllToAll, at.both::allToAllInit);
      }
    });
  }

  /** A side receives with another datatype than it, or the other one, sends with. */
  @RanksTest(n = 5)
  void theSidesUseDifferentTypes(Mpi mpi) {
    onBothSides(mpi, at -> {
      try (Datatype column = Datatype.vector(2, 1, 3, Datatype.INT); Datatype wide = column.resized(0, Integer.BYTES)) {
        int[] received = new int[4 + at.others];
        at.both.allGather(Buf.wrap(at.mine(2)), Buf.wrap(received).as(wide, at.others));
        for (int rank = 0; rank < at.others; rank++) {
          assertThat(received[rank]).isEqualTo(at.value(1 - at.side, rank, 0));
          assertThat(received[rank + 3]).isEqualTo(at.value(1 - at.side, rank, 1));
        }
      }
    });
  }

  @RanksTest(n = {2, 5})
  void partsOfDifferentLengths(Mpi mpi) {
    onBothSides(mpi, at -> {
      int length = at.ours(2, 1);
      int other = at.theirs(2, 1);
      int[] counts = new int[at.others];
      Arrays.fill(counts, other);
      int[] places = IntStream.range(0, at.others).map(i -> i * (other + 1)).toArray();
      int[] gathered = new int[at.others * (other + 1)];
      int[] exchanged = new int[at.others * (other + 1)];
      for (int i = 0; i < gathered.length; i++) {
        int rank = i / (other + 1);
        int element = i % (other + 1);
        gathered[i] = element == other ? -1 : at.value(1 - at.side, rank, element);
        exchanged[i] = element == other ? -1 : at.value(1 - at.side, rank, at.me * other + element);
      }
      check(at.mine(length), gathered, (from, to) -> at.both.allGatherV(from, to, counts, places),
          (from, to) -> at.both.iAllGatherV(from, to, counts, places),
          (from, to) -> at.both.allGatherVInit(from, to, counts, places));
      int[] sends = new int[at.others];
      Arrays.fill(sends, length);
      int[] from0 = IntStream.range(0, at.others).map(i -> i * length).toArray();
      check(at.mine(length * at.others), exchanged,
          (from, to) -> at.both.allToAllV(from, sends, from0, to, counts, places),
          (from, to) -> at.both.iAllToAllV(from, sends, from0, to, counts, places),
          (from, to) -> at.both.allToAllVInit(from, sends, from0, to, counts, places));
      TypedParts sent = TypedParts.of(sends, times(from0, Integer.BYTES), types(at.others));
      TypedParts received = TypedParts.of(counts, times(places, Integer.BYTES), types(at.others));
      check(at.mine(length * at.others), exchanged, (from, to) -> at.both.allToAllW(from, sent, to, received),
          (from, to) -> at.both.iAllToAllW(from, sent, to, received),
          (from, to) -> at.both.allToAllWInit(from, sent, to, received));
    });
  }

  private static int[] times(int[] values, int factor) {
    return IntStream.of(values).map(value -> value * factor).toArray();
  }

  private static Datatype[] types(int length) {
    Datatype[] types = new Datatype[length];
    Arrays.fill(types, Datatype.INT);
    return types;
  }

  @RanksTest(n = {2, 5})
  void partsFromAndToTheRootOfEachSide(Mpi mpi) {
    onBothSides(mpi, at -> {
      for (int rootsSide : new int[] {0, 1}) {
        int root = at.rootOf(rootsSide);
        boolean isRoot = root == Intercomm.ROOT;
        boolean isIdle = root == Comm.PROC_NULL;
        int length = rootsSide + 1;
        int[] whole = IntStream.range(0, at.others * length).map(i -> at.value(1 - at.side, i / length, i % length)).toArray();
        int[] received = isRoot ? whole : new int[0];
        int[] own = isRoot || isIdle ? new int[0] : at.mine(length);
        check(own, received, (from, to) -> at.both.gather(from, to, root), (from, to) -> at.both.iGather(from, to, root),
            (from, to) -> at.both.gatherInit(from, to, root));
        int[] counts = new int[isRoot ? at.others : 0];
        Arrays.fill(counts, length);
        int[] places = IntStream.range(0, counts.length).map(i -> i * length).toArray();
        check(own, received, (from, to) -> at.both.gatherV(from, to, counts, places, root),
            (from, to) -> at.both.iGatherV(from, to, counts, places, root),
            (from, to) -> at.both.gatherVInit(from, to, counts, places, root));
        int[] sent = isRoot ? at.mine(length * at.others) : new int[0];
        int[] part = new int[isRoot || isIdle ? 0 : length];
        Arrays.setAll(part, i -> at.value(rootsSide, 0, at.me * length + i));
        check(sent, part, (from, to) -> at.both.scatter(from, to, root), (from, to) -> at.both.iScatter(from, to, root),
            (from, to) -> at.both.scatterInit(from, to, root));
        check(sent, part, (from, to) -> at.both.scatterV(from, counts, places, to, root),
            (from, to) -> at.both.iScatterV(from, counts, places, to, root),
            (from, to) -> at.both.scatterVInit(from, counts, places, to, root));
        int[] sum = new int[isRoot ? length : 0];
        Arrays.setAll(sum, i -> sumOf(at, at.others, i));
        check(own, sum, (from, to) -> at.both.reduce(from, to, Op.SUM, root),
            (from, to) -> at.both.iReduce(from, to, Op.SUM, root), (from, to) -> at.both.reduceInit(from, to, Op.SUM, root));
        int[] word = isRoot || isIdle ? new int[0] : new int[] {42};
        check(new int[] {42}, word, (from, to) -> at.both.bcast(isRoot ? from : to, root),
            (from, to) -> at.both.iBcast(isRoot ? from : to, root), (from, to) -> at.both.bcastInit(isRoot ? from : to, root));
      }
    });
  }

  /** The sum of the other side's elements at a place. */
  private static int sumOf(Side at, int ranks, int element) {
    return IntStream.range(0, ranks).map(rank -> at.value(1 - at.side, rank, element)).sum();
  }

  @RanksTest(n = {2, 5})
  void reductionsAndBarriers(Mpi mpi) {
    onBothSides(mpi, at -> {
      int[] sums = {sumOf(at, at.others, 0), sumOf(at, at.others, 1)};
      check(at.mine(2), sums, (from, to) -> at.both.allReduce(from, to, Op.SUM),
          (from, to) -> at.both.iAllReduce(from, to, Op.SUM), (from, to) -> at.both.allReduceInit(from, to, Op.SUM));
      assertThat(at.both.allReduce(at.side + 1, Op.MAX)).isEqualTo(2 - at.side);
      // The vectors have one length, and each side divides the other's among its ranks.
      int length = at.own * at.others;
      int[] scattered = new int[at.others];
      Arrays.setAll(scattered, i -> sumOf(at, at.others, at.me * at.others + i));
      check(at.mine(length), scattered, (from, to) -> at.both.reduceScatterBlock(from, to, Op.SUM),
          (from, to) -> at.both.iReduceScatterBlock(from, to, Op.SUM),
          (from, to) -> at.both.reduceScatterBlockInit(from, to, Op.SUM));
      int[] counts = new int[at.own];
      Arrays.fill(counts, at.others);
      check(at.mine(length), scattered, (from, to) -> at.both.reduceScatter(from, to, counts, Op.SUM),
          (from, to) -> at.both.iReduceScatter(from, to, counts, Op.SUM),
          (from, to) -> at.both.reduceScatterInit(from, to, counts, Op.SUM));
      check(new int[0], new int[0], (from, to) -> at.both.barrier(), (from, to) -> at.both.iBarrier(),
          (from, to) -> at.both.barrierInit());
    });
  }

  @RanksTest(n = {2, 5})
  void whatMeansNothingBetweenGroupsIsRefused(Mpi mpi) {
    onBothSides(mpi, at -> {
      Intercomm both = at.both;
      Buf one = Buf.copyOf(1);
      Buf other = Buf.copyOf(0);
      refusedByMpi(() -> both.scan(1, Op.SUM));
      refusedByMpi(() -> both.exScan(1, Op.SUM, 0));
      refusedByMpi(() -> both.scan(one, other, Op.SUM));
      refusedByMpi(() -> both.exScan(one, other, Op.SUM));
      refusedByMpi(() -> both.exScan(one, Op.SUM));
      refusedByMpi(() -> both.iScan(one, other, Op.SUM));
      refusedByMpi(() -> both.iExScan(one, other, Op.SUM));
      refusedByMpi(() -> both.scanInit(one, other, Op.SUM));
      refusedByMpi(() -> both.exScanInit(one, other, Op.SUM));
      refusedByMpi(() -> both.cart(new int[] {1}, new boolean[] {false}, false));
      refusedByMpi(() -> both.intercomm(0, mpi.world(), 0, TAG));
      Buf same = Buf.wrap(new int[2 * at.own * at.others]);
      int[] counts = new int[at.others];
      int[] ownCounts = new int[at.own];
      notInPlace(() -> both.allReduce(same, Op.SUM));
      notInPlace(() -> both.iAllReduce(same, same, Op.SUM));
      notInPlace(() -> both.reduceScatterBlock(same, Op.SUM));
      notInPlace(() -> both.reduceScatter(same, ownCounts, Op.SUM));
      notInPlace(() -> both.allGather(same));
      notInPlace(() -> both.allToAll(same));
      notInPlace(() -> both.allGatherV(same, counts, counts));
      notInPlace(() -> both.allToAllV(same, counts, counts));
      if (at.others > 1) {
        assertThatThrownBy(() -> both.allGather(one, Buf.wrap(new int[at.others + 1]))).hasMessageContaining("cannot be divided");
      }
    });
  }

  private static void refusedByMpi(Runnable call) {
    assertThatThrownBy(call::run).isInstanceOfSatisfying(MpiException.class,
        refused -> assertThat(refused.errorClass()).isEqualTo(MPI.MPI_ERR_COMM));
  }

  private static void notInPlace(Runnable call) {
    assertThatThrownBy(call::run).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("in place");
  }
}
