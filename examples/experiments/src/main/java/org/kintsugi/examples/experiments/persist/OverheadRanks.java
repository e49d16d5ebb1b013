// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments.persist;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.kintsugi.examples.app.OutputFile;
import org.kintsugi.examples.persist.Heat;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.Run;
import org.kintsugi.reinit.RunResult;

/** Runs in the ranks: the heat equation with and without persisting, by turns, once for each case, in one job. */
final class OverheadRanks {
  /**
   * A way to run it.
   *
   * @param figure of the paper, in which it is a point
   * @param rows of each process
   * @param interval steps between two states that are persisted
   */
  record Case(int figure, int rows, int interval) {
    /** As one word. */
    String text() {
      return figure + "," + rows + "," + interval;
    }

    static Case parse(String text) {
      String[] parts = text.split(",");
      return new Case(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
    }
  }

  static final int COLUMNS = 400;
  private static final int PROBE_STEPS = 5;
  /** For the hash: a run long enough to persist a few states. */
  private static final int HASHED_ROWS = 20;
  private static final int HASHED_STEPS = 20;
  private static final int CASES = 3;

  private final int steps;
  private final double caseSeconds;

  private OverheadRanks(int steps, double caseSeconds) {
    this.steps = steps;
    this.caseSeconds = caseSeconds;
  }

  /** Arguments: the file for the figures; steps of a case, at most; seconds for a case; the cases. */
  public static void main(String[] args) throws IOException {
    OverheadRanks ranks = new OverheadRanks(Integer.parseInt(args[1]), Double.parseDouble(args[2]));
    List<Case> cases = new ArrayList<>();
    for (int i = CASES; i < args.length; i++) {
      cases.add(Case.parse(args[i]));
    }
    RunResult<ObjectNode> figures;
    try (Mpi mpi = Mpi.init(args)) {
      figures = Reinit.call(mpi, run -> {
        ObjectNode measured = ranks.measure(run, cases);
        return run.world().rank() == 0 ? measured : null;
      });
    }
    if (!figures.stayedSpare() && figures.value() != null) {
      OutputFile.write(Path.of(args[0]), figures.value() + "\n");
    }
  }

  private ObjectNode measure(Run run, List<Case> cases) {
    ObjectNode figures = new ObjectMapper().createObjectNode();
    figures.put("hash", Long.toHexString(heat(HASHED_ROWS, PROBE_STEPS, HASHED_STEPS).hash(run)));
    // All cases have the same code: the first one warms it up.
    secondsPerStep(run, cases.get(0).rows, 0);
    secondsPerStep(run, cases.get(0).rows, cases.get(0).interval);
    ArrayNode all = figures.putArray("cases");
    for (Case one : cases) {
      double plain = secondsPerStep(run, one.rows, 0);
      double stored = secondsPerStep(run, one.rows, one.interval);
      all.addObject().put("figure", one.figure).put("rows", one.rows).put("points", COLUMNS * one.rows)
          .put("interval", one.interval).put("plain", plain).put("stored", stored);
    }
    StoreLatency.measure(run.world(), figures.putObject("latency"));
    return figures;
  }

  private static Heat heat(int rows, int interval, int steps) {
    return Heat.of(String.valueOf(COLUMNS), String.valueOf(rows), String.valueOf(steps), "--state", "average", "--interval",
        String.valueOf(interval));
  }

  private static double seconds(Run run, int rows, int interval, int steps) {
    return run.world().allReduce(heat(rows, interval, steps).seconds(run), Op.MAX);
  }

  /** Over whole intervals, for which a first short run shows how long they take. */
  private double secondsPerStep(Run run, int rows, int interval) {
    int unit = interval == 0 ? PROBE_STEPS : interval;
    double probe = seconds(run, rows, interval, unit);
    int units = (int) Math.min(steps / unit, caseSeconds / probe);
    return units < 2 ? probe / unit : seconds(run, rows, interval, units * unit) / (units * unit);
  }
}
