// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments.persist;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.kintsugi.examples.experiments.Json;
import org.kintsugi.examples.experiments.Launcher;
import org.kintsugi.examples.experiments.persist.OverheadRanks.Case;

/** One job, which measures what persisting costs with a store, for all points of both figures. */
final class OverheadRun extends PersistRun {
  private final List<Case> cases;
  private final int steps;
  private final double caseSeconds;

  /**
   * @param cases points of the figures
   * @param steps of a case, at most
   * @param caseSeconds for a case, which is made shorter if it would take longer
   */
  OverheadRun(String experiment, String size, int limitSeconds, int repetition, int ranks, PersistStore store, List<Case> cases,
      int steps, double caseSeconds) {
    super(experiment, size, limitSeconds, repetition, ranks, store);
    this.cases = cases;
    this.steps = steps;
    this.caseSeconds = caseSeconds;
  }

  @Override
  public String key() {
    return key("overhead/" + ranks() + "-ranks", Objects.hash(cases, steps, caseSeconds));
  }

  @Override
  public void describe(ObjectNode line) {
    describe(line, "heat", "overhead", 0);
  }

  private static Path result(Path folder) {
    return folder.resolve("result.json");
  }

  @Override
  List<String> command(Launcher launcher, Path folder) {
    List<String> arguments = new ArrayList<>(List.of(result(folder).toString(), String.valueOf(steps),
        String.valueOf(caseSeconds)));
    cases.forEach(one -> arguments.add(one.text()));
    return launcher.command(ranks(), limitSeconds(), List.of("--spares", "0"), properties(folder), OverheadRanks.class,
        arguments);
  }

  @Override
  public String measure(Path folder, ObjectNode line) throws IOException {
    if (!Files.exists(result(folder))) {
      return "there is no result";
    }
    JsonNode figures = Json.MAPPER.readTree(result(folder).toFile());
    line.putObject("figures").put("hash", figures.path("hash").asText());
    line.set("cases", figures.path("cases"));
    line.set("latency", figures.path("latency"));
    return null;
  }
}
