// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.kintsugi.ci.ranks.TestLibrary;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Request;
import org.kintsugi.mpi.TruncationException;
import org.kintsugi.test.RankJob;

/**
 * {@code MPI_Testall} of Open MPI 5.0.10 returns an error after a success, and none when a request failed
 * (native/test/testall.c).
 */
@Tag("flavours")
class TestAllTest {
  /** Runs in the ranks. */
  static final class Testing {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        int other = 1 - world.rank();
        int[] value = new int[1];
        until(world.iRecv(Buf.wrap(value), other, 1), world.iSend(Buf.copyOf(4711), other, 1));
        assertThat(value).containsExactly(4711);
        Request sent = world.iSend(Buf.copyOf(1, 2), other, 2);
        assertThatThrownBy(() -> until(world.iRecv(Buf.wrap(value), other, 2), sent)).isInstanceOf(TruncationException.class);
        sent.waitFor();
        world.barrier();
        RankJob.report(args[0], "rank-" + world.rank(), "ok");
      }
    }

    private static void until(Request... requests) {
      while (!Request.testAll(requests)) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void theStatusesAreBelievedAndNotTheCode() {
    RankJob.Outcome outcome = RankJob.of(2, 0).timeoutSeconds(60)
        .mpirun("-x", "LD_PRELOAD=" + TestLibrary.of(RankJob.flavour(), "testall")).run(Testing.class).assertSuccess();
    assertThat(outcome.reports()).containsEntry("rank-0", "ok").containsEntry("rank-1", "ok");
  }
}
