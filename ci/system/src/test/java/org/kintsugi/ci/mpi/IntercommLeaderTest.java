// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.ci.ranks.Meeting;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.MpiFaultException;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.SignalNumbers;
import org.kintsugi.test.RankJob;

/**
 * The leader of the other group dies in the middle of {@code MPI_Intercomm_create}.
 *
 * <p>This group must be notified of the failure. Open MPI had all of it crash:
 * native/openmpi/patches/ulfm/0003.
 */
class IntercommLeaderTest {
  private static final int RANKS = 4;

  /** The last message that the leader sends: each goes to the other leader, in the order in which Open MPI exchanges them. */
  enum LastWord {
    /** The number of processes in its group. */
    SIZE,
    /** The length of its processes' names; the names do not follow. */
    LENGTH_OF_NAMES
  }

  /** Runs in the ranks: rank 3 plays a leader that dies, the others are a group. Arguments: folder, last word. */
  static final class Dies {
    private static final int TAG = 7;
    private static final int LEADER = 3;

    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        boolean isLeader = world.rank() == LEADER;
        try (Comm group = world.split(isLeader ? 1 : 0, 0)) {
          Meeting.of(args[0], "has-split", world.rank(), RANKS);
          if (isLeader) {
            tell(world, 1);
            if (LastWord.valueOf(args[1]) == LastWord.LENGTH_OF_NAMES) {
              tell(world, 100);
            }
            Kintsugi.kintsugi_kill((int) ProcessHandle.current().pid(), SignalNumbers.SIGKILL);
          }
          try {
            group.intercomm(0, world, LEADER, TAG).close();
            RankJob.report(args[0], String.valueOf(world.rank()), "an intercommunicator");
          } catch (MpiFaultException told) {
            RankJob.report(args[0], String.valueOf(world.rank()), "told");
          }
        }
      }
    }

    private static void tell(Comm world, int value) {
      world.sendRecv(Buf.copyOf(value), 0, TAG, Buf.wrap(new int[1]), 0, TAG);
    }
  }

  /**
   * Runs in the ranks: the last process of the first group fails, and the others may detect that
   * at any time. Argument: folder.
   */
  static final class MemberDies {
    private static final int TAG = 7;
    private static final int FIRST = 3;

    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        int me = world.rank();
        boolean isFirst = me < FIRST;
        boolean leads = me == 0 || me == FIRST;
        // The leaders' communicator has no failed process, so that nothing but a revocation ends a wait on it.
        try (Comm group = world.split(isFirst ? 1 : 0, 0); Comm leaders = world.split(leads ? 1 : 0, 0)) {
          Meeting.of(args[0], "has-split", me, world.size());
          if (me == FIRST - 1) {
            Kintsugi.kintsugi_kill((int) ProcessHandle.current().pid(), SignalNumbers.SIGKILL);
          }
          try {
            group.intercomm(0, leads ? leaders : null, isFirst ? 1 : 0, TAG).close();
            RankJob.report(args[0], String.valueOf(me), "an intercommunicator");
          } catch (MpiFaultException told) {
            group.revoke();
            leaders.revoke();
            RankJob.report(args[0], String.valueOf(me), "told");
          }
        }
      }
    }
  }

  @Test
  void nobodyWaitsIfBothCommunicatorsAreRevoked() {
    assumeTrue(RankJob.mpiOrSkip(Flavour.ULFM).isPatched(), "a stock Open MPI may crash (native/openmpi/patches/ulfm/0003)");
    RankJob.Outcome outcome = RankJob.of(RANKS + 1, 0).timeoutSeconds(60).run(MemberDies.class);
    assertThat(outcome.reports()).as(outcome.output()).hasSize(RANKS);
    assertThat(outcome.reports().values()).as(outcome.output()).allMatch("told"::equals);
    outcome.assertSuccess();
  }

  @ParameterizedTest
  @EnumSource(LastWord.class)
  void theOtherGroupIsNotified(LastWord last) {
    assumeTrue(RankJob.mpiOrSkip(Flavour.ULFM).isPatched(),
        "only the Open MPI that make setup builds survives it (native/openmpi/patches/ulfm/0003)");
    RankJob.Outcome outcome = RankJob.of(RANKS, 0).timeoutSeconds(60).run(Dies.class, last.name());
    assertThat(outcome.reports()).as(outcome.output()).hasSize(RANKS - 1);
    assertThat(outcome.reports().values()).as(outcome.output()).allMatch("told"::equals);
    outcome.assertSuccess();
  }
}
