// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;
import org.kintsugi.ci.ranks.TestLibrary;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.RevokedException;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.RankJob;

/**
 * Agreements and revocations find their way where a program's own messages have taken all places
 * for messages in shared memory: native/test/full_shared_memory.c. (Patch ulfm/0006; without it a
 * process crashes in the agreement, and a revocation is lost, so that the others wait for good.)
 */
class FullSharedMemoryTest {
  private static final int RANKS = 3;

  /** Runs in the ranks: all agree. */
  static final class Agrees {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        int rank = mpi.world().rank();
        RankJob.report(args[0], String.valueOf(rank), String.valueOf(mpi.world().agree(7 - (1 << rank) | 8)));
      }
    }
  }

  /** Runs in the ranks: rank 0 revokes the communicator in which the others wait. */
  static final class Revokes {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args); Comm other = mpi.world().dup()) {
        String end = "revoked";
        if (mpi.world().rank() == 0) {
          other.revoke();
        } else {
          try {
            other.recv(Buf.wrap(new int[1]), 0, 0);
            end = "received";
          } catch (RevokedException asItShould) {
            end = "told";
          }
        }
        RankJob.report(args[0], String.valueOf(mpi.world().rank()), end);
      }
    }
  }

  private static RankJob.Outcome run(Class<?> program) {
    RankJob.assumeFlavour(Flavour.ULFM, "the fork neither agrees nor revokes");
    assumeTrue(RankJob.mpiOrSkip(Flavour.ULFM).isPatched(),
        "only the Open MPI that make setup builds waits for a place (native/openmpi/patches/ulfm/0006)");
    return RankJob.of(RANKS, 0).mpirun("-x", "LD_PRELOAD=" + TestLibrary.of(Flavour.ULFM, "full_shared_memory"))
        .timeoutSeconds(60)
        .run(program).assertSuccess();
  }

  @Test
  void anAgreementWaitsForAPlace() {
    assertThat(run(Agrees.class).reports()).hasSize(RANKS).allSatisfy((rank, agreed) -> assertThat(agreed).isEqualTo("8"));
  }

  @Test
  void aRevocationIsNotLost() {
    assertThat(run(Revokes.class).reports()).containsEntry("0", "revoked").containsEntry("1", "told").containsEntry("2", "told");
  }
}
