// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.ci.cluster.ReturningNodes;
import org.kintsugi.ci.cluster.ReturningNodes.Loss;
import org.kintsugi.ci.ranks.Meeting;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.runtime.ExitCodes;
import org.kintsugi.runtime.JobConfig;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.runtime.SignalNumbers;
import org.kintsugi.test.RankJob;
import org.kintsugi.test.cluster.Cluster;

/** New processes are started on several hosts, of a simulated cluster. Flavour ulfm; the fork's runtime has its own way. */
@Execution(ExecutionMode.SAME_THREAD)
class RefillOnHostsTest {
  private static final long LIMIT_SECONDS = 120;
  private static final int RANKS = 4;
  private static final String STARTED = "started-";

  /** Runs in the ranks: as there; processes that are started later report their host. */
  static final class Sums {
    public static void main(String[] args) throws IOException {
      long number = JobConfig.STARTED.longValue();
      if (number > 0) {
        RankJob.report(args[0], STARTED + number, Files.readString(Path.of("/proc/sys/kernel/hostname")).trim());
      }
      RefillTest.Sums.main(args);
    }
  }

  /** Runs in the ranks: one dies, and all others when a new process is there that nobody has called yet. */
  static final class AllDie {
    public static void main(String[] args) {
      if (JobConfig.STARTED.longValue() > 0) {
        RankJob.report(args[0], STARTED, "");
      }
      try (Mpi mpi = Mpi.init(args)) {
        Reinit.run(mpi, run -> {
          if (run.epoch() > 0) {
            Meeting.await(Path.of(args[0], "report-" + STARTED));
          }
          if (run.epoch() > 0 || run.world().rank() == 1) {
            Kintsugi.kintsugi_kill((int) ProcessHandle.current().pid(), SignalNumbers.SIGKILL);
          }
          run.world().barrier();
        });
      }
    }
  }

  private static MpiHome patchedMpi() {
    MpiHome mpi = RankJob.mpiOrSkip();
    assumeTrue(mpi.isPatched(), "only the Open MPI that make setup builds outlives the loss of a node");
    return mpi;
  }

  /** Four ranks on two hosts, and a spare on a third one. */
  private static RankJob.Outcome run(String... kills) throws IOException, InterruptedException {
    return run(Sums.class, kills);
  }

  private static RankJob.Outcome run(Class<?> main, String... kills) throws IOException, InterruptedException {
    MpiHome mpi = patchedMpi();
    List<String> options = new ArrayList<>(List.of("-n", String.valueOf(RANKS), "--spares", "1", "--refill"));
    for (String kill : kills) {
      options.addAll(List.of("--kill", kill));
    }
    try (Cluster cluster = Cluster.of(2, 2, 2)) {
      return cluster.run(mpi, LIMIT_SECONDS, options, main);
    } catch (Cluster.UnavailableException e) {
      abort(e.getMessage());
      throw e;
    }
  }

  private static List<String> hosts(RankJob.Outcome outcome) {
    List<String> hosts = new ArrayList<>();
    outcome.reports().forEach((name, text) -> {
      if (name.startsWith(STARTED)) {
        hosts.add(text);
      }
    });
    return hosts;
  }

  /** Rank 0 has lived through all of it, and has seen these deaths. */
  private static void assertAllRight(RankJob.Outcome outcome, Integer... deaths) {
    outcome.assertSuccess();
    for (int rank = 0; rank < RANKS; rank++) {
      assertThat(outcome.reports().get(String.valueOf(rank))).as(outcome.output())
          .startsWith(RefillTest.expected(RANKS) + " after ");
    }
    assertThat(outcome.output()).contains(Scenario.listOfFailures(0, List.of(deaths)));
  }

  @Test
  void eachIsStartedWhereOneHasDied() throws IOException, InterruptedException {
    RankJob.Outcome outcome = run("process:1@20", "process:2@50", "process:2@110");
    assertAllRight(outcome, 1, 2, 2);
    // No failed process was on the third host.
    assertThat(hosts(outcome)).as(outcome.output()).isNotEmpty().isSubsetOf("n0", "n1");
  }

  /**
   * Two ranks fail at once, and another one later.
   *
   * <p>The spare replaces one of the two. No process needs to wait for the lost host.
   */
  @Test
  void aLostHostIsMadeUpForByOthers() throws IOException, InterruptedException {
    // The last one is the second kill of rank 2. A first one of rank 3 would never strike: the node takes that life with it.
    assertAllRight(run("node:2@30", "process:1@60", "process:2@90"), 1, 2, 2, 3);
  }

  /** The new process ends because no other is left, which must not count as success. */
  @Tag("series")
  @Test
  void aJobOfWhichNobodyIsLeftIsNoSuccess() throws IOException, InterruptedException {
    RankJob.Outcome outcome = run(AllDie.class);
    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(ExitCodes.DIED_OUT);
    assertThat(outcome.reports()).as(outcome.output()).containsOnlyKeys(STARTED);
  }

  /** First one of which nobody is left; then one that has processes of its own only, of whose silence nobody else would hear. */
  @Tag("series") // make returning-nodes has more of it
  @Test
  void hostsThatComeBackAreFilledUp() throws IOException, InterruptedException {
    assertFilledUp(new ReturningNodes(patchedMpi(), 1, 1, 1, 1), Loss.CUT, Loss.PAUSE, Loss.CUT);
  }

  /**
   * Its daemon is asked for what it has before it is given anything to start; of the first one that is known without. The host
   * file allows no more processes there than have died.
   */
  @Tag("series")
  @Test
  void hostsThatComeBackWithOtherProcessorsAreFilledUp() throws IOException, InterruptedException {
    assertFilledUp(new ReturningNodes(patchedMpi(), 1, 1, 1, 1).changed().limited(), Loss.CRASH, Loss.CRASH);
  }

  private static void assertFilledUp(ReturningNodes nodes, Loss... losses) throws IOException, InterruptedException {
    try {
      ReturningNodes.Outcome outcome = nodes.run(losses);
      assertThat(outcome.losses()).as(outcome.job().output()).isEqualTo(losses.length);
      outcome.job().assertSuccess();
      for (int rank = 0; rank < 2; rank++) {
        assertThat(outcome.job().reports().get(String.valueOf(rank))).as(outcome.job().output()).startsWith("right ");
      }
      assertThat(outcome.refilled()).contains("n1", "n2");
      assertThat(outcome.left()).isEmpty();
    } catch (Cluster.UnavailableException e) {
      abort(e.getMessage());
    }
  }
}
