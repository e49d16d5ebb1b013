// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.cluster;

import java.io.IOException;
import java.util.Collections;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.kintsugi.ci.cluster.ReturningNodes.Loss;
import org.kintsugi.ci.cluster.ReturningNodes.Outcome;
import org.kintsugi.ci.figures.Recorder;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Run by {@code make returning-nodes}: one job loses nodes, which come back and are filled up again. Flavour ulfm. */
@Command(name = "make returning-nodes", description = "One job loses nodes of a simulated cluster, which come back.")
public final class ReturningNodeSeries extends ClusterSeries {
  @Option(names = "--losses", paramLabel = "N", required = true, description = "how many, in one job")
  private int losses;

  @Option(names = "--slots", paramLabel = "N,N...", split = ",", defaultValue = "1,1,1,1",
      description = "of each node; mpirun's is the first one (1,1,1,1)")
  private int[] slots;

  @Option(names = "--spares", paramLabel = "N", defaultValue = "1", description = "the number of spares among the processes (1)")
  private int spares;

  private ReturningNodeSeries() {}

  /** Runs the job; exit code 0 only if all losses were outlived, each node was filled up, and the result is right. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new ReturningNodeSeries()).execute(args));
  }

  @Override
  protected Flavour flavour() {
    return Flavour.ULFM;
  }

  @Override
  protected boolean run(MpiHome mpi) throws IOException, InterruptedException {
    Loss[] kinds = Loss.values();
    return tell(new ReturningNodes(mpi, spares, slots)
        .run(IntStream.range(0, losses).mapToObj(i -> kinds[i % kinds.length]).toArray(Loss[]::new)));
  }

  private boolean tell(Outcome outcome) {
    int ranks = IntStream.of(slots).sum() - spares;
    long right = IntStream.range(0, ranks)
        .filter(rank -> outcome.job().reports().getOrDefault(String.valueOf(rank), "").startsWith("right ")).count();
    System.out.printf("%d of %d losses, %d of %d ranks right, exit code %d, processes started on %s, left over %s%n",
        outcome.losses(), losses, right, ranks, outcome.job().exitCode(), outcome.refilled(), outcome.left());
    outcome.seconds().stream().map(seconds -> String.format(Locale.ROOT, "%.1f", seconds)).reduce((a, b) -> a + " " + b)
        .ifPresent(all -> System.out.println("seconds from loss to full: " + all + "; longest "
            + Collections.max(outcome.seconds()).longValue()));
    Recorder recorder = Recorder.ofThisJvm();
    recorder.share("returning-nodes/right", isRight(outcome, right, ranks) ? outcome.losses() : 0, losses);
    if (!outcome.seconds().isEmpty()) {
      recorder.value("returning-nodes/longest", Collections.max(outcome.seconds()));
    }
    Set<String> lost =
        IntStream.rangeClosed(1, Math.min(losses, slots.length - 1)).mapToObj(node -> "n" + node).collect(Collectors.toSet());
    boolean isWell = losses > 0 && outcome.losses() == losses && outcome.refilled().containsAll(lost)
        && isRight(outcome, right, ranks);
    if (!isWell) {
      System.out.println(outcome.job().output());
    }
    return isWell;
  }

  private static boolean isRight(Outcome outcome, long right, int ranks) {
    return right == ranks && outcome.job().exitCode() == 0 && outcome.left().isEmpty();
  }
}
