// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.soak;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.kintsugi.ci.cluster.ClusterSeries;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.test.RankJob;
import org.kintsugi.test.cluster.Cluster;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Run by {@code make app-nodes}: each proxy application loses a node of a simulated cluster in the middle of its iterations, and
 * has to come to the figures of the undisturbed run, bit for bit.
 *
 * <p>Three nodes, two of which have half of the ranks each. On the third one as many spares wait; for the Reinit++ fork it is
 * empty. A rank of the second node kills that. Checkpoints are in memory, with copies on the other node.
 */
@Command(name = "make app-nodes", description = "Each proxy application loses a node of a simulated cluster.")
public final class AppNodeLosses extends ClusterSeries {
  private static final int LOST_NODE = 1;
  private static final int NODES = 3;
  private static final long LIMIT_SECONDS = 120;
  private static final int LEFT_MILLIS = 30_000;

  @Option(names = "--flavour", paramLabel = "FLAVOUR", required = true, description = "$${COMPLETION-CANDIDATES}")
  private Flavour flavour;

  @Parameters(paramLabel = "APP", description = "$${COMPLETION-CANDIDATES}")
  private List<SoakedApp> apps = List.of(SoakedApp.values());

  private AppNodeLosses() {}

  /** Runs it; exit code 0 only if all losses were outlived with the same figures. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new AppNodeLosses()).setCaseInsensitiveEnumValuesAllowed(true).execute(args));
  }

  @Override
  protected Flavour flavour() {
    return flavour;
  }

  private record Outcome(RankJob.Outcome job, JsonNode result, List<String> left) {}

  @Override
  protected boolean run(MpiHome mpi) throws IOException, InterruptedException {
    int same = 0;
    for (SoakedApp app : apps) {
      Outcome undisturbed = run(mpi, app, 0);
      if (undisturbed.result == null) {
        System.out.println(app + ", undisturbed, ended with " + undisturbed.job.exitCode() + ":\n" + undisturbed.job.output());
        continue;
      }
      int iterations = undisturbed.result.get("iterations").asInt();
      Outcome recovered = run(mpi, app, iterations / 2);
      boolean isSame = recovered.result != null && recovered.result.get("recoveries").size() == 1 && recovered.left.isEmpty()
          && recovered.result.get("iterations").asInt() == iterations
          && recovered.result.get("figures").equals(undisturbed.result.get("figures"));
      same += isSame ? 1 : 0;
      System.out.printf("%-9s %d ranks, iteration %d of %d: %s%n", app, app.ranksOnNodes(), iterations / 2, iterations, isSame
          ? "the same figures; recovered in " + recovered.result.at("/recoveries/0/totalMillis").asInt() + " ms"
          : "FAILED with " + recovered.job.exitCode() + ", left over " + recovered.left + ":\n" + recovered.job.output());
    }
    System.out.printf("%d of %d with the figures of the undisturbed run%n", same, apps.size());
    return same == apps.size();
  }

  /** @param killedAt the iteration in which a node is lost; 0: none is */
  private Outcome run(MpiHome mpi, SoakedApp app, int killedAt) throws IOException, InterruptedException {
    int ranks = app.ranksOnNodes();
    int[] slots = Collections.nCopies(NODES, ranks / 2).stream().mapToInt(Integer::intValue).toArray();
    try (Cluster cluster = Cluster.of(slots)) {
      List<String> options = new ArrayList<>(List.of("-n", String.valueOf(ranks)));
      options.addAll(flavour == Flavour.REINIT ? List.of("--spare-nodes", "1") : List.of("--spares", String.valueOf(ranks / 2)));
      if (killedAt > 0) {
        options.addAll(List.of("--kill", "node:" + (ranks - 1) + "@" + killedAt));
      }
      RankJob.Outcome job = cluster.run(mpi, LIMIT_SECONDS, options, ProxyRank.class,
          Stream.concat(Stream.of(app.toString()), app.argumentsOnNodes().stream()).toArray(String[]::new));
      return new Outcome(job, ProxyRank.result(job), left(cluster, killedAt > 0));
    }
  }

  /** The remaining files and processes on nodes that were not lost. */
  private static List<String> left(Cluster cluster, boolean isOneLost) {
    List<String> all = new ArrayList<>();
    for (int node = 0; node < NODES; node++) {
      if (!isOneLost || node != LOST_NODE) {
        all.addAll(cluster.left(node, LEFT_MILLIS));
      }
    }
    return all;
  }
}
