// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.kintsugi.examples.experiments.report.StudyReport;

/** An experiment of any kind: its runs, and its report. All else, from the log to the frame of the report, is common to all. */
public interface Study {
  /** Of the experiment, and of its results. */
  String name();

  /** The most ranks of a run. @throws ExperimentException if the experiment does not have that size */
  int mostRanks(String size);

  /** All runs of a size, in the order in which they are made: what is compared takes turns. */
  List<StudyRun> runs(String size);

  /** @param lines of the log, the oldest first */
  StudyReport report(String size, Collection<JsonNode> lines);

  /**
   * What the file of an experiment says of a size.
   *
   * @param name of the experiment, for the error
   * @throws ExperimentException if it does not have that size
   */
  static <S> S size(Map<String, S> sizes, String wanted, String name) {
    S size = sizes.get(wanted);
    if (size == null) {
      throw new ExperimentException("--size " + wanted + ": " + name + " has none; it has: " + String.join(", ", sizes.keySet()));
    }
    return size;
  }
}
