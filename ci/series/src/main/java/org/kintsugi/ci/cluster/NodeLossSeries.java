// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.kintsugi.ci.cluster.HpccgJob.Loss;
import org.kintsugi.ci.cluster.HpccgJob.Outcome;
import org.kintsugi.ci.figures.Recorder;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Run by {@code make nodes}: HPCCG loses a node again and again, by a crash or silently, and figures are printed. */
@Command(name = "make nodes", description = "HPCCG loses nodes of a simulated cluster, again and again.")
public final class NodeLossSeries extends ClusterSeries {
  private static final int MOST_DELAY_MILLIS = 800;
  private static final double MILLIS_PER_SECOND = 1000;

  private final SplittableRandom random = new SplittableRandom(1);

  @Option(names = "--flavour", paramLabel = "FLAVOUR", required = true, description = "$${COMPLETION-CANDIDATES}")
  private Flavour flavour;

  @Option(names = "--crashes", paramLabel = "N", required = true, description = "how many nodes crash")
  private int crashes;

  @Option(names = "--silent", paramLabel = "N", required = true, description = "how many nodes fall silent")
  private int cuts;

  private MpiHome mpi;
  private Outcome undisturbed;
  private boolean allWell = true;

  private NodeLossSeries() {}

  /** Runs the series; exit code 0 only if all losses were outlived with the same answer. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new NodeLossSeries()).setCaseInsensitiveEnumValuesAllowed(true).execute(args));
  }

  @Override
  protected Flavour flavour() {
    return flavour;
  }

  private HpccgJob job() {
    return new HpccgJob(mpi);
  }

  @Override
  protected boolean run(MpiHome found) {
    if (crashes + cuts < 1) {
      System.out.println("no node was to be lost");
      return false;
    }
    mpi = found;
    undisturbed = job().run();
    if (!undisturbed.isFinished()) {
      System.out.println("the undisturbed run ended with " + undisturbed.exitCode() + ":\n" + undisturbed.output());
      return false;
    }
    System.out.println("HPCCG 40 x 40 x 40, 399 passes, " + job().layout() + "; " + flavour
        + "; node 1 is lost; milliseconds\n");
    System.out.printf("%-16s%-8s%10s%12s%12s%14s%16s%s%n", "loss", "copies", "iteration", "detection", "repair", "gap in loop",
        "loss to loop", "   same bits");
    series("crash", Loss.CRASH, crashes);
    series("silent", Loss.CUT, cuts);
    return allWell;
  }

  private void series(String name, Loss loss, int runs) {
    List<Double> detection = new ArrayList<>();
    List<Double> repair = new ArrayList<>();
    List<Double> gap = new ArrayList<>();
    List<Double> whole = new ArrayList<>();
    int finished = 0;
    int same = 0;
    for (int i = 0; i < runs; i++) {
      boolean inFiles = i % 2 == 1;
      HpccgJob job = job().lose(loss, random.nextInt(MOST_DELAY_MILLIS));
      Outcome outcome = (inFiles ? job.fileStore() : job).run();
      String label = name + " " + (i + 1);
      if (!outcome.left().isEmpty()) {
        allWell = false;
        System.out.println(label + " LEFT OVER: " + outcome.left());
      }
      if (!outcome.isFinished() || outcome.result().get("recoveries").size() != 1) {
        System.out.println(label + " FAILED with " + outcome.exitCode() + ":\n" + outcome.output());
        continue;
      }
      finished++;
      JsonNode recovery = outcome.result().at("/recoveries/0");
      JsonNode resumption = outcome.result().at("/resumptions/0");
      detection.add(recovery.get("detectionMillis").asDouble());
      repair.add(recovery.get("repairMillis").asDouble());
      gap.add(resumption.get("gapMillis").asDouble());
      whole.add((double) outcome.lossToLoopMillis());
      boolean isSame = outcome.isSameAs(undisturbed);
      same += isSame ? 1 : 0;
      System.out.printf("%-16s%-8s%10d%12.1f%12.1f%14.1f%16.0f   %s%n", label, inFiles ? "files" : "memory",
          resumption.get("firstIteration").asInt(), last(detection), last(repair), last(gap), last(whole), isSame ? "yes" : "NO");
    }
    allWell &= finished == runs && same == runs;
    if (runs > 0) {
      Recorder.ofThisJvm().share("nodes/" + flavour + "/" + name + "/same", same, runs);
    }
    System.out.printf("%n%s: %d of %d finished, %d of %d with the same bits%n", name, finished, runs, same, runs);
    if (finished > 0) {
      System.out.printf("%-40s%12s%12s%12s%n", "", "minimum", "median", "maximum");
      row("detection", detection);
      row("repair", repair);
      row("last good iteration to resumed loop", gap);
      row("loss of the node to resumed loop", whole);
      Recorder.ofThisJvm().median("nodes/" + flavour + "/" + name + "/gap",
          whole.stream().map(millis -> millis / MILLIS_PER_SECOND).toList());
    }
    System.out.println();
  }

  private static double last(List<Double> values) {
    return values.get(values.size() - 1);
  }

  private static void row(String name, List<Double> values) {
    Collections.sort(values);
    System.out.printf("%-40s%12.1f%12.1f%12.1f%n", name, values.get(0), values.get(values.size() / 2), last(values));
  }
}
