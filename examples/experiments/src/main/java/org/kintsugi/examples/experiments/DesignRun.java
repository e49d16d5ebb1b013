// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.kintsugi.examples.experiments.PlannedRun.Fault;
import org.kintsugi.examples.experiments.Timeline.Recovered;

/** A run of an application with a design. */
record DesignRun(PlannedRun run, Catalog catalog) implements StudyRun {
  @Override
  public String key() {
    return run.key(catalog);
  }

  @Override
  public void describe(ObjectNode line) {
    line.put("experiment", run.experiment()).put("size", run.size())
        .put("application", run.application()).put("input", run.input()).put("ranks", run.ranks()).put("design", run.design())
        .put("engine", run.engine()).put("faults", run.faults().word()).put("repetition", run.repetition())
        .put("seed", run.seed());
    ArrayNode kills = line.putArray("kills");
    run.injected(catalog).forEach(fault -> kills.add(fault.word()));
  }

  @Override
  public int limitSeconds() {
    return run.limitSeconds();
  }

  @Override
  public String refusal(Launcher launcher, Path folder) throws IOException, InterruptedException {
    return launcher.refusal(run, catalog, folder);
  }

  @Override
  public Integer start(Launcher launcher, Path folder, ObjectNode line) throws IOException, InterruptedException {
    return launcher.run(run, catalog, folder, line);
  }

  @Override
  public String measure(Path folder, ObjectNode line) throws IOException {
    if (!Files.exists(folder.resolve("result.json"))) {
      return "there is no result";
    }
    JsonNode answer = Json.MAPPER.readTree(folder.resolve("result.json").toFile());
    line.set("figures", answer.path("figures"));
    line.put("iterations", answer.path("iterations").asInt());
    Timeline timeline = new Timeline(folder.resolve("stamps"));
    double recovery = 0;
    long again = 0;
    ArrayNode recoveries = line.putArray("recoveries");
    for (Fault fault : run.injected(catalog)) {
      Recovered one = timeline.recovery(fault, run.ranks());
      if (one == null) {
        return fault.word() + " was not recovered from, or did not happen";
      }
      recoveries.addObject().put("seconds", one.seconds()).put("iterationsAgain", one.iterationsAgain());
      recovery += one.seconds();
      again += one.iterationsAgain();
    }
    double saving = timeline.savingSeconds(run.ranks());
    ObjectNode seconds = line.putObject("seconds");
    seconds.put("application", timeline.loopSeconds() - saving - recovery).put("checkpoints", saving).put("recovery", recovery);
    line.put("iterationsAgain", again);
    return null;
  }
}
