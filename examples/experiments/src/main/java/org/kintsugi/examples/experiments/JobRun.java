// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.kintsugi.examples.experiments.PlannedRun.Fault;
import org.kintsugi.examples.experiments.Timeline.Recovered;

/**
 * Makes one run of an experiment. Whatever comes of it is a result: also a job that fails, hangs or has another answer.
 */
final class JobRun {
  private static final int TIMED_OUT = 124;
  private static final int MOST_OUTPUT = 20_000;
  private static final double TICKS_PER_SECOND = 100; // of /proc/self/stat, on every Linux that Java runs on

  private final Launcher launcher;
  private final Catalog catalog;
  private final ObjectNode circumstances;
  private final Path out;

  /**
   * @param circumstances what is needed to repeat it: versions, machine
   * @param out the folder of the results
   */
  JobRun(Launcher launcher, Catalog catalog, ObjectNode circumstances, Path out) {
    this.launcher = launcher;
    this.catalog = catalog;
    this.circumstances = circumstances;
    this.out = out;
  }

  /** @return the line for the log */
  JsonNode make(PlannedRun run) throws IOException, InterruptedException {
    Path folder = WorkFolder.make(out);
    try {
      ObjectNode result = describe(run);
      String refusal = launcher.refusal(run, catalog, folder);
      if (refusal != null) {
        return result.put("outcome", Outcome.UNAVAILABLE.word()).put("why", refusal);
      }
      result.put("load", load()).put("started", Instant.now().toString());
      long begin = System.nanoTime();
      double processorSeconds = childrenSeconds();
      EnergyMeter energy = new EnergyMeter();
      Integer code = launcher.run(run, catalog, folder, result);
      result.put("wallSeconds", (System.nanoTime() - begin) / 1e9)
          .put("processorSeconds", childrenSeconds() - processorSeconds).put("joules", energy.joules()).put("exit", code);
      try {
        measure(run, folder, code, result);
      } catch (JsonProcessingException e) {
        fail(Outcome.FAILED, "its result cannot be read: " + e.getOriginalMessage(), folder, result);
      }
      return result;
    } finally {
      WorkFolder.remove(folder);
    }
  }

  private ObjectNode describe(PlannedRun run) {
    ObjectNode result = Json.MAPPER.createObjectNode();
    result.put("key", run.key(catalog)).put("experiment", run.experiment()).put("size", run.size())
        .put("application", run.application()).put("input", run.input()).put("ranks", run.ranks()).put("design", run.design())
        .put("engine", run.engine()).put("faults", run.faults().word()).put("repetition", run.repetition())
        .put("seed", run.seed());
    ArrayNode kills = result.putArray("kills");
    run.injected(catalog).forEach(fault -> kills.add(fault.word()));
    result.set("circumstances", circumstances);
    return result;
  }

  private void measure(PlannedRun run, Path folder, Integer code, ObjectNode result) throws IOException {
    if (code == null || code == TIMED_OUT) {
      fail(Outcome.HUNG, "it did not end in " + run.limitSeconds() + " s", folder, result);
      return;
    }
    if (code != 0 || !Files.exists(folder.resolve("result.json"))) {
      fail(Outcome.FAILED, code == 0 ? "there is no result" : "it ended with " + code, folder, result);
      return;
    }
    JsonNode answer = Json.MAPPER.readTree(folder.resolve("result.json").toFile());
    result.set("figures", answer.path("figures"));
    result.put("iterations", answer.path("iterations").asInt());
    Timeline timeline = new Timeline(folder.resolve("stamps"));
    double recovery = 0;
    long again = 0;
    ArrayNode recoveries = result.putArray("recoveries");
    for (Fault fault : run.injected(catalog)) {
      Recovered one = timeline.recovery(fault, run.ranks());
      if (one == null) {
        fail(Outcome.FAILED, fault.word() + " was not recovered from, or did not happen", folder, result);
        return;
      }
      recoveries.addObject().put("seconds", one.seconds()).put("iterationsAgain", one.iterationsAgain());
      recovery += one.seconds();
      again += one.iterationsAgain();
    }
    double saving = timeline.savingSeconds(run.ranks());
    ObjectNode seconds = result.putObject("seconds");
    seconds.put("application", timeline.loopSeconds() - saving - recovery).put("checkpoints", saving).put("recovery", recovery);
    result.put("iterationsAgain", again).put("outcome", Outcome.ENDED.word());
  }

  private static void fail(Outcome outcome, String why, Path folder, ObjectNode result) throws IOException {
    try (SeekableByteChannel output = Files.newByteChannel(folder.resolve("output"))) {
      output.position(Math.max(0, output.size() - MOST_OUTPUT));
      ByteBuffer end = ByteBuffer.allocate(MOST_OUTPUT);
      while (output.read(end) > 0) {
        // until the buffer is full, or the file ends
      }
      result.put("outcome", outcome.word()).put("why", why)
          .put("output", new String(end.array(), 0, end.position(), StandardCharsets.UTF_8));
    }
  }

  /** Processor time of all processes of ended jobs on this host that their parents have waited for. */
  private static double childrenSeconds() throws IOException {
    String stat = Files.readString(Path.of("/proc/self/stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return (Long.parseLong(fields[13]) + Long.parseLong(fields[14])) / TICKS_PER_SECOND;
  }

  private static double load() throws IOException {
    return Double.parseDouble(Files.readString(Path.of("/proc/loadavg")).split(" ")[0]);
  }
}
