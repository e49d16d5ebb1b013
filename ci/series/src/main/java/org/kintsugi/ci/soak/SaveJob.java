// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.soak;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.kintsugi.ci.cluster.NamespaceNodes;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.RankJob;
import org.kintsugi.test.TemporaryFolder;

/** A job whose ranks are {@link SavingRank}s, some of which die, and the verdict on it. */
final class SaveJob {
  static final int RANKS = 4;

  /** The beginning of the ranks' reports, and the end of each. */
  static final String RANK = "rank-";
  static final String RECOVERIES = " recoveries";

  /** Printed on the fork by a rank that waits in a recovery for too long. */
  static final String RECOVERY_TIMED_OUT = "a recovery has not ended in time";

  private static final long TIMEOUT_SECONDS = 180;

  private final RankJob job;
  private final String engine;
  private final int kills;
  private final Nodes nodes;

  /**
   * A job in which ranks die while they save or restore.
   *
   * @param engine the value of {@code -Dkintsugi.checkpoint.store}, and more JVM options after a space each
   */
  SaveJob(String engine, int kills, Nodes nodes) {
    this.job =
        RankJob.of(RANKS, nodes == Nodes.OWN && RankJob.flavour() == Flavour.REINIT ? 0 : kills).timeoutSeconds(TIMEOUT_SECONDS);
    this.engine = engine;
    this.kills = kills;
    this.nodes = nodes;
  }

  RankJob job() {
    return job;
  }

  RankJob.Outcome run(Class<? extends SavingRank> main, String... arguments) throws IOException {
    try (TemporaryFolder folder = TemporaryFolder.create("kintsugi-save-kills-")) {
      Path path = folder.path();
      List<String> jvm = new ArrayList<>(Arrays.asList(("-Dkintsugi.checkpoint.store=" + engine).split(" ")));
      jvm.add("-Dkintsugi.checkpoint.dir=" + path.resolve("shared"));
      jvm.add("-Dkintsugi.checkpoint.local.dir=" + NamespaceNodes.local(path));
      if (nodes == Nodes.OWN) {
        job.java(NamespaceNodes.java(path));
      }
      jvm.add("-Dkintsugi.recovery.timeout.seconds=25");
      return job.jvm(jvm.toArray(String[]::new)).run(main, arguments);
    }
  }

  /**
   * The verdict on an outcome: begins with {@link SaveKills#RIGHT}, or is the error.
   *
   * <p>A recovery that has not ended in time is an error on the fork, too. The fork cannot recover
   * from failures that overlap, but here a rank dies only after all have left the recovery before.
   */
  String verdict(RankJob.Outcome outcome) {
    if (outcome.exitCode() == Mpi.RESTART_CODE && outcome.output().contains(RECOVERY_TIMED_OUT)) {
      return "a recovery timed out:\n" + outcome.output();
    }
    if (outcome.exitCode() != 0) {
      return "ENDED with " + outcome.exitCode() + ":\n" + outcome.output();
    }
    List<String> ranks = outcome.reports().entrySet().stream().filter(report -> report.getKey().startsWith(RANK))
        .map(Map.Entry::getValue).toList();
    if (ranks.size() != RANKS) {
      return "reports of " + outcome.reports().keySet() + " only:\n" + outcome.output();
    }
    if (!ranks.stream().allMatch(report -> report.endsWith(" " + kills + RECOVERIES))) {
      return "not as many recoveries as deaths: " + outcome.reports();
    }
    return ranks.stream().collect(Collectors.joining(", ", SaveKills.RIGHT + " (", ")"));
  }
}
