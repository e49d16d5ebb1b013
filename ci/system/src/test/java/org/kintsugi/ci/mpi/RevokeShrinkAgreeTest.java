// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Group;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.RevokedException;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.RankJob;
import org.kintsugi.test.RanksTest;

/** ULFM's own calls, without a failed process. */
class RevokeShrinkAgreeTest {
  private static final int RANKS = 4;
  private static final int AHEAD = 10;
  private static final int LOOKS = 20;

  /** Runs in the ranks: a rank that has made more communicators agrees once only. */
  static final class AgreeOverAndOver {
    public static void main(String[] args) throws InterruptedException {
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        int rank = world.rank();
        try (Comm rest = world.split(rank == 0 ? Comm.UNDEFINED : 0, rank)) {
          for (int i = 0; rank == 0 && i < AHEAD; i++) {
            mpi.self().dup().close();
          }
          try (Comm first = world.dup()) {
            first.agree(1);
          }
          Set<Integer> agreed = new TreeSet<>();
          for (int i = 0; rest != null && i < 2 * AHEAD; i++) {
            try (Comm next = rest.dup()) {
              next.barrier();
              // The others' shares come to a process that looks for messages and has not begun to agree.
              for (int look = 0; rank == 1 && look < LOOKS; look++) {
                next.iProbe(Comm.ANY_SOURCE, Comm.ANY_TAG, null);
                Thread.sleep(1);
              }
              agreed.add(next.agree(2));
            }
          }
          RankJob.report(args[0], String.valueOf(rank), agreed.toString());
        }
      }
    }
  }

  /** Open MPI 5.0.7 answers with the first agreement's value (native/openmpi/patches/ulfm/0002), and hangs. */
  @Test
  void anAgreementIsNotTakenForAnEarlierOne() {
    assumeTrue(RankJob.mpiOrSkip(Flavour.ULFM).isPatched(), "only the Open MPI that make setup builds tells agreements apart");
    RankJob.Outcome outcome = RankJob.of(RANKS, 0).timeoutSeconds(90).run(AgreeOverAndOver.class).assertSuccess();
    assertThat(outcome.reports()).as(outcome.output())
        .isEqualTo(Map.of("0", "[]", "1", "[2]", "2", "[2]", "3", "[2]"));
  }

  @RanksTest(n = {1, 3})
  void revokeShrinkAndAgree(Mpi mpi) {
    Comm world = mpi.world();
    assertThat(mpi.isFaultTolerant()).isTrue();
    Comm doomed = world.dup();
    assertThat(doomed.agree(true)).isTrue();
    assertThat(doomed.agree(world.rank() != 0)).isFalse();
    assertThat(doomed.agree(world.rank() == 0 ? 6 : 3)).isEqualTo(world.size() == 1 ? 6 : 2);
    try (Buf flag = Buf.allocateInts(1)) {
      flag.putInt(0, 5);
      doomed.iAgree(flag).waitFor();
      assertThat(flag.getInt(0)).isEqualTo(5);
    }
    world.barrier();
    doomed.revoke();
    assertThat(doomed.isRevoked()).isTrue();
    assertThatThrownBy(doomed::barrier).isInstanceOf(RevokedException.class).hasMessageStartingWith("MPI_Barrier: ");
    // The text of a code is looked up in MPI once; the function is that of each call.
    assertThatThrownBy(() -> doomed.allReduce(1, Op.SUM)).isInstanceOf(RevokedException.class)
        .hasMessageStartingWith("MPI_Allreduce: ").hasMessageContaining("class ");
    try (Comm alive = doomed.shrink(); Group failed = doomed.failedGroup()) {
      assertThat(alive.size()).isEqualTo(world.size());
      assertThat(failed.size()).isZero();
      assertThat(doomed.ackFailed()).isZero();
    }
    doomed.close();
    doomed.close();
    assertThat(doomed.isClosed()).isTrue();
  }
}
