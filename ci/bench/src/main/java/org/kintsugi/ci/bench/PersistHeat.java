// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.kintsugi.examples.persist.Heat;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.Run;
import org.kintsugi.reinit.RunResult;

/** Runs in the ranks of {@link PersistBench}: the heat equation once for each case, in one job. */
final class PersistHeat {
  /**
   * One way to run it.
   *
   * @param store where messages go; {@link #NONE}: nothing is persisted
   * @param rows of each process
   * @param interval steps between two states that are persisted
   * @param steps how many are timed, where that does not take too long
   */
  record Case(String store, int rows, int interval, int steps) {
    static final String NONE = "none";

    boolean persists() {
      return !store.equals(NONE);
    }

    /** As one word. */
    String text() {
      return store + "," + rows + "," + interval + "," + steps;
    }

    static Case parse(String text) {
      String[] parts = text.split(",");
      return new Case(parts[0], Integer.parseInt(parts[1]), Integer.parseInt(parts[2]), Integer.parseInt(parts[3]));
    }
  }

  static final int COLUMNS = 400;

  /** The time for a case: with SCR's data sets, forced files and busy machines it makes fewer steps. */
  private static final double CASE_SECONDS = 0.4;

  private static final int PROBE_STEPS = 5;

  private PersistHeat() {}

  private static double seconds(Run run, Case one, int steps) {
    List<String> arguments = new ArrayList<>(List.of(String.valueOf(COLUMNS), String.valueOf(one.rows), String.valueOf(steps),
        "--state", "average", "--interval", String.valueOf(one.persists() ? one.interval : 0)));
    if (one.persists()) {
      arguments.addAll(List.of("--store", one.store));
    }
    return run.world().allReduce(Heat.of(arguments.toArray(new String[0])).seconds(run), Op.MAX);
  }

  /** Over whole intervals, as many as there is time for, which a first short run tells. */
  private static double secondsPerStep(Run run, Case one) {
    int unit = one.persists() ? one.interval : PROBE_STEPS;
    double probe = seconds(run, one, unit);
    int units = (int) Math.min(one.steps / unit, CASE_SECONDS / probe);
    return units < 2 ? probe / unit : seconds(run, one, units * unit) / (units * unit);
  }

  /** Arguments: the file for seconds per step, a line for each case; the cases. */
  public static void main(String[] args) throws IOException {
    List<String> lines = new ArrayList<>();
    RunResult<Boolean> isFirst;
    try (Mpi mpi = Mpi.init(args)) {
      isFirst = Reinit.call(mpi, run -> {
        // The cases of one store have the same code: the first of each warms it up.
        List<String> warm = new ArrayList<>();
        for (int i = 1; i < args.length; i++) {
          Case one = Case.parse(args[i]);
          if (!warm.contains(one.store)) {
            warm.add(one.store);
            secondsPerStep(run, one);
          }
        }
        for (int i = 1; i < args.length; i++) {
          lines.add(String.valueOf(secondsPerStep(run, Case.parse(args[i]))));
        }
        return run.world().rank() == 0;
      });
    }
    if (!isFirst.stayedSpare() && isFirst.value()) {
      Files.write(Path.of(args[0]), lines);
    }
  }
}
