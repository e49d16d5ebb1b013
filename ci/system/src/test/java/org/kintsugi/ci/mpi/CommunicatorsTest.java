// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.CartComm;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Datatype;
import org.kintsugi.mpi.Group;
import org.kintsugi.mpi.Intercomm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.PersistentRequest;
import org.kintsugi.mpi.Request;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.RanksTest;

/** The ways to make communicators, and ULFM's calls on communicators without deaths. */
@Tag("flavours")
class CommunicatorsTest {
  @RanksTest
  void dupSplitAndGroups(Mpi mpi) {
    Comm world = mpi.world();
    int me = world.rank();
    try (Comm copy = world.dup(); Comm half = world.split(me % 2, -me); Comm node = world.splitShared(0);
        Group all = world.group()) {
      assertThat(copy.isCongruent(world)).isTrue();
      copy.setName("copy");
      assertThat(copy.name()).isEqualTo("copy");
      assertThat(half.size()).isEqualTo((world.size() + 1 - me % 2) / 2);
      assertThat(half.rank()).as("the key turns the order around").isEqualTo(half.size() - 1 - me / 2);
      assertThat(node.size()).isEqualTo(world.size());
      assertThat(world.split(Comm.UNDEFINED, 0)).isNull();
      try (Group first = all.include(0); Group others = all.exclude(0)) {
        assertThat(first.rank()).isEqualTo(me == 0 ? 0 : -1);
        assertThat(others.size()).isEqualTo(world.size() - 1);
        assertThat(first.ranksIn(others)).containsExactly(-1);
        try (Group union = first.union(others); Comm created = world.create(first)) {
          assertThat(union.size()).isEqualTo(world.size());
          assertThat(created == null).isEqualTo(me != 0);
        }
        if (me == 0) {
          try (Comm alone = world.createGroup(first, 3)) {
            assertThat(alone.size()).isEqualTo(1);
          }
        }
      }
    }
  }

  @RanksTest(n = 4)
  void cartesianGrids(Mpi mpi) {
    assertThat(CartComm.dims(4, 0, 0)).containsExactly(2, 2);
    try (CartComm grid = mpi.world().cart(new int[] {2, 2}, new boolean[] {true, false}, false)) {
      int[] here = grid.coords(grid.rank());
      assertThat(grid.rankAt(here)).isEqualTo(grid.rank());
      CartComm.Shift along = grid.shift(1, 1);
      assertThat(along.dest).isEqualTo(here[1] == 1 ? Comm.PROC_NULL : grid.rankAt(here[0], 1));
      try (CartComm row = grid.sub(false, true)) {
        assertThat(row.size()).isEqualTo(2);
        assertThat(row.allReduce(1L, Op.SUM)).isEqualTo(2);
      }
      assertThatThrownBy(() -> grid.rankAt(0, 2)).isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("coords[1] = 2");
    }
  }

  @RanksTest(n = 4)
  void neighboursOnAGrid(Mpi mpi) {
    try (CartComm grid = mpi.world().cart(new int[] {2, 2}, new boolean[] {false, false}, false)) {
      int me = grid.rank();
      boolean low0 = me < 2;
      boolean low1 = me % 2 == 0;
      int[] expected = {low0 ? -1 : me - 2, low0 ? me + 2 : -1, low1 ? -1 : me - 1, low1 ? me + 1 : -1};
      int[] gathered = {-1, -1, -1, -1};
      grid.neighbourAllGather(Buf.copyOf(me), Buf.wrap(gathered));
      assertThat(gathered).isEqualTo(expected);
      int[] again = {-1, -1, -1, -1};
      grid.iNeighbourAllGather(Buf.copyOf(me), Buf.wrap(again)).waitFor();
      assertThat(again).isEqualTo(expected);
      int[] sent = {10 * me, 10 * me + 1, 10 * me + 2, 10 * me + 3};
      // The element from below was sent upwards, and the other way round.
      int[] exchanged = {low0 ? -1 : 10 * (me - 2) + 1, low0 ? 10 * (me + 2) : -1, low1 ? -1 : 10 * (me - 1) + 3,
          low1 ? 10 * (me + 1) + 2 : -1};
      int[] received = {-1, -1, -1, -1};
      grid.neighbourAllToAll(Buf.wrap(sent), Buf.wrap(received));
      assertThat(received).isEqualTo(exchanged);
      int[] later = {-1, -1, -1, -1};
      grid.iNeighbourAllToAll(Buf.wrap(sent), Buf.wrap(later)).waitFor();
      assertThat(later).isEqualTo(exchanged);
      if (Flavour.current() == Flavour.ULFM) { // the Reinit++ fork has no persistent collectives
        Arrays.fill(again, -1);
        Arrays.fill(later, -1);
        try (PersistentRequest gathers = grid.neighbourAllGatherInit(Buf.copyOf(me), Buf.wrap(again));
            PersistentRequest exchanges = grid.neighbourAllToAllInit(Buf.wrap(sent), Buf.wrap(later))) {
          for (int start = 0; start < 2; start++) {
            gathers.start();
            gathers.waitFor();
            exchanges.start();
            exchanges.waitFor();
          }
        }
        assertThat(again).isEqualTo(expected);
        assertThat(later).isEqualTo(exchanged);
      }
      Buf same = Buf.wrap(sent);
      assertThatThrownBy(() -> grid.neighbourAllToAll(same, same)).isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("same buffer");
    }
  }

  /**
   * Grids for a number of ranks; a periodic direction is negative. The last ones need fewer ranks.
   */
  private static int[][] gridsFor(int ranks) {
    return switch (ranks) {
      case 1 -> new int[][] {{-1}, {1}, {-1, -1}, {-1, 1, -1}};
      case 2 -> new int[][] {{-2}, {2}, {-2, -1}, {-1, 2}, {1, -2, -1}, {-1, -1}};
      case 4 -> new int[][] {{-4}, {-2, -2}, {2, -2}, {-2, 2}, {-2, -1, -2}, {-1, -3}};
      default -> new int[][] {{-2, -1, -3}, {2, -1, -3}, {-6}, {-3, -2}, {-1, 3}};
    };
  }

  private static CartComm grid(Mpi mpi, int... directions) {
    int[] dims = new int[directions.length];
    boolean[] periodic = new boolean[directions.length];
    for (int i = 0; i < dims.length; i++) {
      dims[i] = Math.abs(directions[i]);
      periodic[i] = directions[i] < 0;
    }
    return mpi.world().cart(dims, periodic, false);
  }

  /** What a rank sends to its neighbours: elements of a block. */
  private static int element(int rank, int block, int element) {
    return 1000 * rank + 10 * block + element;
  }

  /** MPI 4.1, section 8.6: a block sent downwards arrives from above, and vice versa. */
  private static int[] exchanged(CartComm grid, int length) {
    int[] expected = new int[grid.neighbours() * length];
    Arrays.fill(expected, -1);
    for (int block = 0; block < grid.neighbours(); block++) {
      CartComm.Shift up = grid.shift(block / 2, 1);
      int from = block % 2 == 0 ? up.source : up.dest;
      for (int i = 0; i < length && from != Comm.PROC_NULL; i++) {
        expected[block * length + i] = element(from, block ^ 1, i);
      }
    }
    return expected;
  }

  private static int[] sent(CartComm grid, int length) {
    int[] sent = new int[grid.neighbours() * length];
    Arrays.setAll(sent, i -> element(grid.rank(), i / length, i % length));
    return sent;
  }

  private static int[] untouched(int length) {
    int[] values = new int[length];
    Arrays.fill(values, -1);
    return values;
  }

  @RanksTest(n = {1, 2, 4, 6})
  void blocksOfNeighboursThatAreOneProcess(Mpi mpi) {
    for (int[] directions : gridsFor(mpi.world().size())) {
      try (CartComm grid = grid(mpi, directions)) {
        if (grid != null) {
          exchangeInAllForms(grid, Arrays.toString(directions));
        }
      }
    }
  }

  private static void exchangeInAllForms(CartComm grid, String name) {
    for (int length : new int[] {1, 3, 20_000}) {
      int[] expected = exchanged(grid, length);
      int[] sent = sent(grid, length);
      int[] first = untouched(sent.length);
      int[] second = untouched(sent.length);
      grid.neighbourAllToAll(Buf.wrap(sent), Buf.wrap(first));
      assertThat(first).as("%s, blocking", name).isEqualTo(expected);
      first = untouched(sent.length);
      Request one = grid.iNeighbourAllToAll(Buf.wrap(sent), Buf.wrap(first));
      Request other = grid.iNeighbourAllToAll(Buf.wrap(sent), Buf.wrap(second));
      Request.waitAll(other, one);
      assertThat(first).as("%s, nonblocking", name).isEqualTo(expected);
      assertThat(second).as("%s, another one under way", name).isEqualTo(expected);
      if (Flavour.current() == Flavour.ULFM) { // the Reinit++ fork has no persistent collectives
        int[] again = untouched(sent.length);
        try (PersistentRequest exchange = grid.neighbourAllToAllInit(Buf.wrap(sent), Buf.wrap(again))) {
          for (int start = 0; start < 2; start++) {
            Arrays.fill(again, -1);
            exchange.start();
            exchange.waitFor();
            assertThat(again).as("%s, persistent, start %d", name, start).isEqualTo(expected);
          }
        }
      }
    }
    exchangeColumns(grid, name);
  }

  /** Blocks of every third element are sent from off-heap memory, and received densely. */
  private static void exchangeColumns(CartComm grid, String name) {
    int n = grid.neighbours();
    try (Datatype column = Datatype.vector(2, 1, 3, Datatype.INT); Datatype spaced = column.resized(0, 6L * Integer.BYTES);
        Datatype pair = Datatype.contiguous(2, Datatype.INT); Buf from = Buf.allocateInts(6 * n);
        Buf to = Buf.allocateInts(2 * n)) {
      int[] sent = sent(grid, 2);
      int[] expected = exchanged(grid, 2);
      for (int i = 0; i < 2 * n; i++) {
        from.putInt(3 * i, sent[i]);
        to.putInt(i, -1);
      }
      grid.iNeighbourAllToAll(from.as(spaced, n), to.as(pair, n)).waitFor();
      for (int i = 0; i < 2 * n; i++) {
        assertThat(to.getInt(i)).as("%s, element %d", name, i).isEqualTo(expected[i]);
      }
    }
  }

  @RanksTest
  void aGridWithoutDirectionsHasNoNeighbours(Mpi mpi) {
    try (CartComm line = grid(mpi, -mpi.world().size()); CartComm point = line.sub(false);
        CartComm made = mpi.world().cart(new int[0], new boolean[0], false)) {
      assertThat(made == null).isEqualTo(mpi.world().rank() != 0);
      for (CartComm grid : made == null ? List.of(point) : List.of(point, made)) {
        assertThat(grid.neighbours()).isZero();
        assertThat(grid.coords(0)).isEmpty();
        assertThat(grid.rankAt()).isZero();
        int[] untouched = {7};
        grid.neighbourAllGather(Buf.copyOf(1), Buf.wrap(untouched));
        grid.neighbourAllToAll(Buf.allocateInts(0), Buf.wrap(untouched));
        Request gathers = grid.iNeighbourAllGather(Buf.copyOf(1), Buf.wrap(untouched));
        Request exchanges = grid.iNeighbourAllToAll(Buf.copyOf(1, 2), Buf.wrap(untouched));
        Request.waitAll(gathers, exchanges);
        if (Flavour.current() == Flavour.ULFM) { // the Reinit++ fork has no persistent collectives
          try (PersistentRequest gather = grid.neighbourAllGatherInit(Buf.copyOf(1), Buf.wrap(untouched));
              PersistentRequest exchange = grid.neighbourAllToAllInit(Buf.allocateInts(0), Buf.allocateInts(0))) {
            for (int start = 0; start < 2; start++) {
              PersistentRequest.startAll(gather, exchange);
              Request.waitAll(gather, exchange);
            }
          }
        }
        assertThat(untouched).containsExactly(7);
      }
    }
  }

  /**
   * Their coordinates need more memory than the block that a thread keeps for MPI's small results.
   */
  @RanksTest(n = 1)
  void manyDirections(Mpi mpi) {
    int[] ones = new int[20_000];
    Arrays.fill(ones, 1);
    try (CartComm grid = mpi.world().cart(ones, new boolean[ones.length], false)) {
      assertThat(grid.coords(0)).hasSize(ones.length).containsOnly(0);
      assertThat(grid.rankAt(new int[ones.length])).isZero();
    }
  }

  @RanksTest(n = 4)
  void onlyLeadersHaveThePeer(Mpi mpi) {
    Comm world = mpi.world();
    int side = world.rank() / 2;
    try (Comm half = world.split(side, 0); Comm leaders = world.split(half.rank() == 1 ? 0 : Comm.UNDEFINED, 0)) {
      assertThat(leaders == null).isEqualTo(half.rank() == 0);
      try (Intercomm both = half.intercomm(1, leaders, 1 - side, 9)) {
        assertThat(both.remoteSize()).isEqualTo(2);
        assertThat(both.allReduce(world.rank(), Op.SUM)).isEqualTo(side == 0 ? 5 : 1);
        // The peer is an intercommunicator now, which only one process of each side has to show.
        try (Intercomm next = half.intercomm(0, half.rank() == 0 ? both : null, 0, 9);
            Intercomm last = half.intercomm(1, next, 1, 10)) {
          assertThat(next.allReduce(world.rank(), Op.SUM)).isEqualTo(side == 0 ? 5 : 1);
          assertThat(last.allReduce(world.rank(), Op.SUM)).isEqualTo(side == 0 ? 5 : 1);
        }
      }
    }
  }

  /**
   * What a leader cannot use is refused on all of its group: the others would wait for it in MPI.
   */
  @RanksTest(n = 4)
  void aLeaderWithoutAPeerIsKnownToItsGroup(Mpi mpi) {
    Comm world = mpi.world();
    try (Comm half = world.split(world.rank() / 2, 0)) {
      boolean leads = half.rank() == 0;
      assertThatThrownBy(() -> half.intercomm(0, null, 0, 9))
          .isInstanceOf(leads ? NullPointerException.class : IllegalArgumentException.class)
          .hasMessageContaining(leads ? "peer is null" : "the leader, rank 0");
      assertThatThrownBy(() -> half.intercomm(0, leads ? world : null, 4, 9)).isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(leads ? "remoteLeader 4" : "the leader, rank 0");
      assertThatThrownBy(() -> half.intercomm(0, leads ? world : null, world.rank(), 9))
          .isInstanceOf(IllegalArgumentException.class).hasMessageContaining(leads ? "this process" : "the leader, rank 0");
      assertThat(half.allReduce(1, Op.SUM)).isEqualTo(2);
    }
  }

  @RanksTest(n = 4)
  void intercommunicators(Mpi mpi) {
    Comm world = mpi.world();
    int side = world.rank() / 2;
    try (Comm local = world.split(side, 0);
        Intercomm bridge = local.intercomm(0, world, side == 0 ? 2 : 0, 9);
        Comm merged = bridge.merge(side == 1)) {
      assertThat(bridge.remoteSize()).isEqualTo(2);
      int[] in = new int[1];
      bridge.sendRecv(Buf.copyOf(world.rank()), local.rank(), 1, Buf.wrap(in), local.rank(), 1);
      assertThat(in[0]).isEqualTo((world.rank() + 2) % 4);
      assertThat(merged.rank()).isEqualTo(world.rank());
    }
  }
}
