// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.PersistentRequest;
import org.kintsugi.mpi.Request;
import org.kintsugi.test.RanksTest;

/** Persistent collectives that InPlaceAndPersistentTest has no form for; the Reinit++ fork has none. */
class CollectiveInitsTest {
  @RanksTest(n = {1, 3})
  void persistentWithTwoBuffers(Mpi mpi) {
    Comm world = mpi.world();
    int n = world.size();
    int me = world.rank();
    int[] mine = new int[1];
    int[] sum = new int[1];
    int[] all = new int[n];
    try (PersistentRequest barrier = world.barrierInit();
        PersistentRequest reduction = world.allReduceInit(Buf.wrap(mine), Buf.wrap(sum), Op.SUM);
        PersistentRequest gathering = world.allGatherInit(Buf.wrap(mine), Buf.wrap(all))) {
      for (int round = 1; round <= 5; round++) {
        mine[0] = me * round;
        PersistentRequest.startAll(barrier, reduction, gathering);
        Request.waitAll(barrier, reduction, gathering);
        assertThat(sum[0]).isEqualTo(round * n * (n - 1) / 2);
        int factor = round;
        assertThat(all).isEqualTo(IntStream.range(0, n).map(rank -> rank * factor).toArray());
      }
      reduction.start();
      assertThatThrownBy(reduction::start).isInstanceOf(IllegalStateException.class).hasMessageContaining("in flight");
      reduction.waitFor();
    }
  }
}
