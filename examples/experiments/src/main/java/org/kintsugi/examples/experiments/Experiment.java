// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * An experiment, as its file describes it.
 *
 * @param name of the experiment, and of its results
 * @param title of its report
 * @param paper what it repeats
 * @param over what its figures have on the horizontal axis: {@code ranks} or {@code inputs}
 * @param seed all random numbers follow from it
 * @param checkpointEvery iterations between checkpoints
 * @param sizes how large it may be made: {@code smoke}, {@code laptop}, {@code paper}
 */
record Experiment(String name, String title, String paper, String over, long seed, int checkpointEvery, Map<String, Size> sizes) {
  /**
   * One size of an experiment.
   *
   * @param faults how many failures are injected into a run, one after the other
   * @param repetitions of each run
   * @param limitSeconds after which a run counts as hung
   */
  record Size(List<String> applications, List<String> inputs, List<Integer> ranks, List<String> designs, List<String> engines,
      List<Integer> faults, int repetitions, @JsonProperty("limitSeconds") int limitSeconds) {}

  static Experiment read(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new ExperimentException(file + " is no experiment: expected a name, such as match-scaling, or a file");
    }
    try (InputStream in = Files.newInputStream(file)) {
      return Json.read(in, file.toString(), Experiment.class);
    }
  }

  Size size(String wanted) {
    Size size = sizes.get(wanted);
    if (size == null) {
      throw new ExperimentException("--size " + wanted + ": " + name + " has none; it has: " + String.join(", ", sizes.keySet()));
    }
    return size;
  }

  /**
   * All runs of a size, in the order in which they are made. Designs take turns, each time in another order, since a machine's
   * speed drifts over hours.
   */
  List<PlannedRun> runs(String wanted, Catalog catalog) {
    Size size = size(wanted);
    List<PlannedRun> runs = new ArrayList<>();
    int turn = 0;
    for (int repetition = 1; repetition <= size.repetitions; repetition++) {
      for (String application : size.applications) {
        for (String input : size.inputs) {
          for (int ranks : size.ranks) {
            for (String engine : size.engines) {
              for (int faults : size.faults) {
                List<String> designs = new ArrayList<>(size.designs);
                Collections.rotate(designs, turn++);
                for (String design : designs) {
                  PlannedRun run = new PlannedRun(name, wanted, application, input, ranks, design, engine, faults, repetition,
                      seed, checkpointEvery, size.limitSeconds);
                  if (run.impossible(catalog) == null) {
                    runs.add(run);
                  }
                }
              }
            }
          }
        }
      }
    }
    return runs;
  }
}
