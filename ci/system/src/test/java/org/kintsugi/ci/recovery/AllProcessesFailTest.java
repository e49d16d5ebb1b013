// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.MpiFaultException;
import org.kintsugi.runtime.ExitCodes;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.runtime.SignalNumbers;
import org.kintsugi.test.RankJob;
import org.kintsugi.test.cluster.Cluster;

/**
 * All processes of a job on several hosts fail.
 *
 * <p>For mpirun no failure is an error, and only mpirun sees the ranks of other hosts.
 */
@Execution(ExecutionMode.SAME_THREAD)
class AllProcessesFailTest {
  private static final long LIMIT_SECONDS = 120;
  private static final List<String> FOUR_RANKS = List.of("-n", "4");

  /** Runs in the ranks: all die, or all but one. */
  static final class Dies {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        try {
          mpi.world().barrier();
        } catch (MpiFaultException anotherWasQuicker) {
          // It has left the barrier, and died, while this one was in it.
        }
        if (mpi.world().rank() != Integer.parseInt(args[1])) {
          Kintsugi.kintsugi_kill((int) ProcessHandle.current().pid(), SignalNumbers.SIGKILL);
        }
      }
    }
  }

  private static RankJob.Outcome run(int survivor) throws IOException, InterruptedException {
    MpiHome mpi = RankJob.mpiOrSkip(Flavour.ULFM);
    assumeTrue(mpi.isPatched(), "only mpirun of the Open MPI that make setup builds tells (native/openmpi/patches/prrte/0006)");
    try (Cluster cluster = Cluster.of(2, 2)) {
      return cluster.run(mpi, LIMIT_SECONDS, FOUR_RANKS, Dies.class, String.valueOf(survivor));
    } catch (Cluster.UnavailableException e) {
      abort(e.getMessage());
      throw e;
    }
  }

  @Test
  void isNoSuccess() throws IOException, InterruptedException {
    RankJob.Outcome outcome = run(-1);
    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(ExitCodes.DIED_OUT);
  }

  @Test
  void unlessSomebodyCameToTheEnd() throws IOException, InterruptedException {
    RankJob.Outcome outcome = run(3);
    assertThat(outcome.exitCode()).as(outcome.output()).isZero();
  }
}
