// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Group;
import org.kintsugi.mpi.Intercomm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.ProcessFailedException;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.SignalNumbers;
import org.kintsugi.test.RankJob;

/**
 * A process of the other group of an intercommunicator fails: it is known, and is acknowledged, on
 * this side.
 */
class RemoteGroupFailureTest {
  private static final int RANKS = 4;

  /**
   * Runs in the ranks: two groups of two, the last process of which is killed. Arguments: folder.
   */
  static final class TwoGroups {
    private static final int TAG = 9;
    private static final int NEVER = 1;
    private static final int LATER = 2;

    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        int me = world.rank();
        try (Comm half = world.split(me / 2, 0); Intercomm both = half.intercomm(0, world, me < 2 ? 2 : 0, TAG)) {
          both.barrier();
          if (me == RANKS - 1) {
            Kintsugi.kintsugi_kill((int) ProcessHandle.current().pid(), SignalNumbers.SIGKILL);
          }
          if (me < 2) {
            RankJob.report(args[0], String.valueOf(me), looksAtTheOthers(both));
          } else {
            both.send(Buf.copyOf(77), 0, LATER);
            both.send(Buf.copyOf(77), 1, LATER);
            RankJob.report(args[0], String.valueOf(me), "has sent");
          }
        }
      }
    }

    private static String looksAtTheOthers(Intercomm both) {
      int[] in = new int[1];
      try {
        both.recv(Buf.wrap(in), 1, NEVER);
      } catch (ProcessFailedException known) {
        try (Group failed = both.failedGroup()) {
          int acknowledged = both.ackFailed();
          both.recv(Buf.wrap(in), Comm.ANY_SOURCE, LATER);
          return failed.size() + " failed, " + acknowledged + " acknowledged, then " + both.ackFailed() + ", received " + in[0];
        }
      }
      return "a message of a failed process";
    }
  }

  @Test
  void itIsKnownAndAcknowledged() {
    RankJob.mpiOrSkip(Flavour.ULFM);
    RankJob.Outcome outcome = RankJob.of(RANKS, 0).timeoutSeconds(60).run(TwoGroups.class);
    String seen = "1 failed, 1 acknowledged, then 1, received 77";
    assertThat(outcome.reports()).as(outcome.output()).isEqualTo(Map.of("0", seen, "1", seen, "2", "has sent"));
  }
}
