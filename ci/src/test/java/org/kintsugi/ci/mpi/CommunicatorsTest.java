// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.CartComm;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Group;
import org.kintsugi.mpi.Intercomm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.PersistentRequest;
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
