// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments.persist;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.kintsugi.examples.experiments.ExperimentException;
import org.kintsugi.examples.experiments.Json;
import org.kintsugi.examples.experiments.Study;
import org.kintsugi.examples.experiments.StudyKind;
import org.kintsugi.examples.experiments.StudyRun;
import org.kintsugi.examples.experiments.persist.OverheadRanks.Case;
import org.kintsugi.examples.experiments.report.PersistReport;
import org.kintsugi.examples.experiments.report.StudyReport;

/** Persistent communicators: what they cost the heat equation (figures 9 and 10), and the paper's programs with a failure. */
public final class PersistKind implements StudyKind {
  private static final String NAME = "persist";
  private static final int BY_INTERVAL = 9;
  private static final int BY_SIZE = 10;

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Study read(Path file, Path twins) throws IOException {
    return new PersistStudy(Json.read(file, Description.class));
  }

  /**
   * The file of an experiment.
   *
   * @param kind of this class
   * @param name of the experiment, and of its results
   * @param title of its report
   * @param paper what it repeats
   * @param seed failures and the order of runs follow from it
   * @param sizes how large it may be made
   */
  private record Description(String kind, String name, String title, String paper, long seed, Map<String, Size> sizes) {
    Description {
      if (name == null || title == null || paper == null || sizes == null) {
        throw new ExperimentException("an experiment needs name, title, paper and sizes");
      }
    }
  }

  /**
   * One size of an experiment.
   *
   * @param ranks of the heat equation of both figures
   * @param stores where messages are persisted
   * @param intervals of figure 9
   * @param rowsByInterval rows of each process in figure 9
   * @param rows of each process in figure 10
   * @param steps of a case, at most
   * @param caseSeconds for a case
   * @param repetitions of the figures' jobs
   * @param programs that lose a process
   * @param programRepetitions of their jobs
   * @param limitSeconds after which a job counts as hung
   */
  private record Size(int ranks, List<String> stores, List<Integer> intervals, int rowsByInterval, List<Integer> rows, int steps,
      double caseSeconds, int repetitions, List<String> programs, int programRepetitions, int limitSeconds) {
    Size {
      if (stores == null || intervals == null || rows == null || programs == null) {
        throw new ExperimentException("a size needs ranks, stores, intervals, rowsByInterval, rows, steps, caseSeconds, "
            + "repetitions, programs, programRepetitions and limitSeconds");
      }
      if (ranks < 2 || rowsByInterval < 1 || steps < 1 || caseSeconds <= 0 || repetitions < 1 || limitSeconds < 1) {
        throw new ExperimentException("ranks " + ranks + ", rowsByInterval " + rowsByInterval + ", steps " + steps
            + ", caseSeconds " + caseSeconds + ", repetitions " + repetitions + ", limitSeconds " + limitSeconds
            + ": expected 2 ranks or more, and otherwise more than 0");
      }
      if (intervals.isEmpty() || rows.isEmpty() || Collections.min(intervals) < 1 || Collections.min(rows) < 1) {
        throw new ExperimentException("intervals " + intervals + ", rows " + rows + ": expected numbers from 1");
      }
      stores.forEach(PersistStore::of);
      programs.forEach(PersistProgram::of);
    }

    private List<Case> cases() {
      List<Case> cases = new ArrayList<>();
      intervals.forEach(interval -> cases.add(new Case(BY_INTERVAL, rowsByInterval, interval)));
      rows.forEach(number -> cases.add(new Case(BY_SIZE, number, 1)));
      return cases;
    }
  }

  private record PersistStudy(Description description) implements Study {
    @Override
    public String name() {
      return description.name;
    }

    private Size size(String wanted) {
      return Study.size(description.sizes, wanted, name());
    }

    @Override
    public int mostRanks(String size) {
      return size(size).ranks;
    }

    @Override
    public List<StudyRun> runs(String wanted) {
      Size size = size(wanted);
      Random order = new Random(description.seed);
      List<StudyRun> runs = new ArrayList<>();
      for (int repetition = 1; repetition <= Math.max(size.repetitions, size.programRepetitions); repetition++) {
        List<String> stores = new ArrayList<>(size.stores);
        Collections.shuffle(stores, order);
        for (String word : stores) {
          PersistStore store = PersistStore.of(word);
          if (repetition <= size.repetitions) {
            runs.add(new OverheadRun(name(), wanted, size.limitSeconds, repetition, size.ranks, store, size.cases(), size.steps,
                size.caseSeconds));
          }
          for (int i = 0; repetition <= size.programRepetitions && i < 2 * size.programs.size(); i++) {
            runs.add(new ProgramRun(name(), wanted, size.limitSeconds, repetition, description.seed, store,
                PersistProgram.of(size.programs.get(i / 2)), i % 2));
          }
        }
      }
      return runs;
    }

    @Override
    public StudyReport report(String size, Collection<JsonNode> lines) {
      return new PersistReport(description.title, description.paper, lines);
    }
  }
}
