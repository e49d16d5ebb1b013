// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.kintsugi.examples.experiments.report.Report;
import org.kintsugi.examples.experiments.report.StudyReport;

/** Designs of fault tolerance side by side, as MATCH and the Reinit++ paper have them: the kind of a file that names none. */
public final class DesignKind implements StudyKind {
  static final String NAME = "designs";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Study read(Path file, Path twins) throws IOException {
    return new DesignStudy(Experiment.read(file), Catalog.read());
  }

  private record DesignStudy(Experiment experiment, Catalog catalog) implements Study {
    @Override
    public String name() {
      return experiment.name();
    }

    @Override
    public int mostRanks(String size) {
      return experiment.size(size).ranks().stream().max(Integer::compare).orElse(1);
    }

    @Override
    public List<StudyRun> runs(String size) {
      return experiment.runs(size, catalog).stream().map(run -> (StudyRun) new DesignRun(run, catalog)).toList();
    }

    @Override
    public StudyReport report(String size, Collection<JsonNode> lines) {
      Report.Labels labels = new Report.Labels(name -> catalog.application(name).label(), name -> catalog.design(name).label(),
          name -> catalog.engine(name).label(), name -> catalog.design(name).what());
      // Runs take turns in random order; a report has the designs in that of the experiment.
      List<String> order = experiment.size(size).designs();
      List<JsonNode> sorted = lines.stream()
          .sorted(Comparator.comparingInt(line -> order.indexOf(line.path("design").asText()))).toList();
      return new Report(experiment.title(), experiment.paper(), experiment.claims(), experiment.over(), labels,
          experiment.leftOut(size, catalog), sorted);
    }
  }
}
