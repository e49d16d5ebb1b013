// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.soak;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.kintsugi.ci.figures.Recorder;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.RankJob;

/**
 * The tallies of a series: one for each cell, as of an application with a store, and one for all of it. Each cell is judged, as
 * one that fails entirely is a small part of the whole.
 */
final class Tallies {
  private final Map<String, Tally> cells = new TreeMap<>();
  private final Tally whole = new Tally();

  /** Counts a job of a cell. */
  void count(String cell, Consumer<Tally> job) {
    job.accept(cells.computeIfAbsent(cell, name -> new Tally()));
    job.accept(whole);
  }

  /** The first failure, of the series or of one of its cells; empty: none. */
  String objection() {
    String objection = whole.objection();
    if (objection.isEmpty() && !whole.hasShownAFailure()) {
      return "no death struck";
    }
    return objection.isEmpty() ? cells.entrySet().stream().filter(cell -> !cell.getValue().objection().isEmpty()).findFirst()
        .map(cell -> cell.getKey() + ": " + cell.getValue().objection()).orElse("") : objection;
  }

  /** Prints the end of a series. @return its exit code */
  int closed() {
    cells.forEach((name, tally) -> System.out.println(name + ": " + shown(tally.toString(), tally.objection())));
    System.out.println(shown(whole.toString(), objection()));
    return objection().isEmpty() ? 0 : 1;
  }

  /** Prints the end of a series, and records how many jobs were right. @return its exit code */
  int closed(String metric) {
    if (whole.hasJobs()) {
      Recorder.ofThisJvm().share((RankJob.flavour() == Flavour.ULFM ? "" : RankJob.flavour() + " ") + metric, whole.rightJobs(),
          whole.jobs());
    }
    return closed();
  }

  private static String shown(String tally, String objection) {
    return tally + (objection.isEmpty() ? "" : "; " + objection);
  }
}
