// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments.revoke;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.kintsugi.examples.experiments.ExperimentException;
import org.kintsugi.examples.experiments.Json;
import org.kintsugi.examples.experiments.Study;
import org.kintsugi.examples.experiments.StudyKind;
import org.kintsugi.examples.experiments.StudyRun;
import org.kintsugi.examples.experiments.report.RevokeReport;
import org.kintsugi.examples.experiments.report.StudyReport;
import org.kintsugi.examples.experiments.revoke.RevokeRun.Point;

/** Revocations: latencies before, of, and after the interrupted collective, as in figures 3 to 5 of the paper "Plan B". */
public final class RevokeKind implements StudyKind {
  private static final String NAME = "revoke";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Study read(Path file, Path twins) throws IOException {
    Description description = Json.read(file, Description.class);
    return new RevokeStudy(description, twins != null && Files.isRegularFile(twins) ? twins : null);
  }

  /**
   * The file of an experiment.
   *
   * @param kind of this class
   * @param name of the experiment, and of its results
   * @param title of its report
   * @param paper what it repeats
   * @param seed the order of the runs follows from it
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
   * @param ranks numbers of ranks of figure 4, with a barrier, and an allreduce of {@link #SMALL} bytes
   * @param at ranks of the figures 3 and 5
   * @param initiators of figure 3, with a barrier
   * @param bytes of figure 5, with an allreduce of doubles; the initiator is rank 0
   * @param times repetitions in a job
   * @param seconds after which a job makes no more of them
   * @param repetitions of each job
   * @param limitSeconds after which a job counts as hung
   */
  private record Size(List<Integer> ranks, int at, List<Integer> initiators, List<Integer> bytes, int times, double seconds,
      int repetitions, int limitSeconds) {
    private static final int SMALL = Double.BYTES;
    private static final int FEWEST_RANKS = 2;

    Size {
      if (ranks == null || initiators == null || bytes == null) {
        throw new ExperimentException("a size needs ranks, at, initiators, bytes, times, seconds, repetitions and limitSeconds");
      }
      if (times < 1 || seconds <= 0 || repetitions < 1 || limitSeconds < 1) {
        throw new ExperimentException("times " + times + ", seconds " + seconds + ", repetitions " + repetitions
            + ", limitSeconds " + limitSeconds + ": expected more than 0");
      }
      if (at < FEWEST_RANKS || ranks.stream().anyMatch(number -> number < FEWEST_RANKS)) {
        throw new ExperimentException(
            "ranks " + ranks + ", at " + at + ": expected 2 or more, as one revokes, and another waits");
      }
      if (initiators.stream().anyMatch(rank -> rank < 0 || rank >= at)) {
        throw new ExperimentException("initiators " + initiators + ": expected ranks from 0 to " + (at - 1));
      }
      if (bytes.stream().anyMatch(number -> number <= 0 || number % Double.BYTES != 0)) {
        throw new ExperimentException("bytes " + bytes + ": expected multiples of " + Double.BYTES + ", as doubles are added");
      }
    }

    /** Of all figures; a point of two figures is measured once. */
    private List<Point> points() {
      Set<Point> points = new LinkedHashSet<>();
      initiators.forEach(initiator -> points.add(new Point(0, at, initiator)));
      for (int number : ranks) {
        points.add(new Point(0, number, 0));
        points.add(new Point(SMALL, number, 0));
      }
      bytes.forEach(number -> points.add(new Point(number, at, 0)));
      return new ArrayList<>(points);
    }
  }

  private record RevokeStudy(Description description, Path twins) implements Study {
    @Override
    public String name() {
      return description.name;
    }

    private Size size(String wanted) {
      return Study.size(description.sizes, wanted, name());
    }

    @Override
    public int mostRanks(String size) {
      return size(size).points().stream().mapToInt(Point::ranks).max().orElse(1);
    }

    @Override
    public List<StudyRun> runs(String wanted) {
      Size size = size(wanted);
      Random order = new Random(description.seed);
      List<StudyRun> runs = new ArrayList<>();
      for (int repetition = 1; repetition <= size.repetitions; repetition++) {
        List<Point> points = size.points();
        Collections.shuffle(points, order);
        for (Point point : points) {
          runs.add(new RevokeRun(name(), wanted, point, repetition, size.times, size.seconds, size.limitSeconds, twins));
        }
      }
      return runs;
    }

    @Override
    public StudyReport report(String size, Collection<JsonNode> lines) {
      return new RevokeReport(description.title, description.paper, size(size).at, RevokeMeasurement.STEPS, lines);
    }
  }
}
