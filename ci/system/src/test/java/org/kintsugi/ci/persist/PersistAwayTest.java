// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.test.RankJob;
import org.kintsugi.test.TemporaryFolder;
import org.kintsugi.test.cluster.Cluster;

/**
 * A node with two ranks of {@link PersistScenario} is cut off, replaced, and comes back.
 *
 * <p>It is stopped and cut off for so long that it is declared failed. Its old processes still have
 * the locks of their logs in the shared folder, and write to them.
 */
@Tag("flavours")
@Tag("once")
@Execution(ExecutionMode.CONCURRENT)
class PersistAwayTest {
  private static final boolean IS_REINIT = RankJob.flavour() == Flavour.REINIT;
  private static final long LIMIT_SECONDS = 120;
  /**
   * Longer than the time until a node is declared failed.
   *
   * <p>It is also longer than the replacements wait for locks that they may not take over.
   */
  private static final long AWAY_MILLIS = 9000;
  private static final int AWAY_NODE = 1;
  private static final int ONE_OF_ITS_RANKS = 2;
  private static final String STORED_IN_A_ROUND = "10";
  private static final String ROUNDS = "1";
  private static final String END = "end";
  private static final String NO_VICTIM = "-1";

  @Tag("series")
  @Test
  void theirLogsAreTheirReplacementsNow() throws IOException, InterruptedException {
    MpiHome mpi = RankJob.mpiOrSkip(RankJob.flavour());
    assumeTrue(IS_REINIT || mpi.isPatched(), "only the Open MPI that make setup builds outlives the loss of a node");
    try (Cluster cluster = IS_REINIT ? Cluster.of(2, 2, 2, 2) : Cluster.of(2, 2, 2);
        TemporaryFolder folder = TemporaryFolder.create("kintsugi-test-")) {
      Path output = RankJob.Outcome.outputIn(folder.path());
      Process job = cluster.start(LIMIT_SECONDS, output, command(mpi, cluster, folder.path()));
      boolean isBack = leaveAndComeBack(cluster, job, folder.path());
      RankJob.Outcome outcome = RankJob.Outcome.of(job.waitFor(), folder.path());
      assertThat(outcome.exitCode()).as(outcome.output()).isZero();
      assertThat(isBack).as("it was back before the end: " + outcome.output()).isTrue();
      assertThat(outcome.reports()).as(outcome.output()).hasSize(IS_REINIT ? 6 : 4);
      assertThat(outcome.reports().values()).as(outcome.output()).allMatch("1 true true"::equals);
      assertThat(outcome.output()).doesNotContain("WRONG");
    } catch (Cluster.UnavailableException e) {
      abort(e.getMessage());
    }
  }

  private static List<String> command(MpiHome mpi, Cluster cluster, Path folder) {
    List<String> line = new ArrayList<>(cluster.jmpirun(mpi));
    line.addAll(IS_REINIT ? List.of("-n", "6", "--spares", "1", "--spare-nodes", "1") : List.of("-n", "4", "--spares", "2"));
    line.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    line.addAll(RankJob.javaArguments(mpi, folder, PersistScenario.class, "file", ROUNDS, STORED_IN_A_ROUND, NO_VICTIM, "0", "1",
        END));
    return line;
  }

  /** @return whether the job still ran when the node came back */
  private static boolean leaveAndComeBack(Cluster cluster, Process job, Path folder) throws IOException, InterruptedException {
    Path stored = folder.resolve("returned-" + ONE_OF_ITS_RANKS);
    while (job.isAlive() && (!Files.exists(stored) || Files.size(stored) == 0)) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
    TimeUnit.MILLISECONDS.sleep(500);
    cluster.pause(AWAY_NODE);
    boolean isBack = !job.waitFor(AWAY_MILLIS, TimeUnit.MILLISECONDS);
    cluster.heal(AWAY_NODE);
    TimeUnit.SECONDS.sleep(1);
    Files.createFile(folder.resolve(END));
    return isBack;
  }
}
