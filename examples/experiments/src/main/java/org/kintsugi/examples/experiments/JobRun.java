// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/**
 * Makes one run of an experiment. Whatever comes of it is a result: also a job that fails, hangs or has another answer.
 */
final class JobRun {
  private static final int TIMED_OUT = 124;
  private static final int MOST_OUTPUT = 20_000;
  private static final double TICKS_PER_SECOND = 100; // of /proc/self/stat, on every Linux that Java runs on

  private final Launcher launcher;
  private final ObjectNode circumstances;
  private final Path out;

  /**
   * @param circumstances what is needed to repeat it: versions, machine
   * @param out the folder of the results
   */
  JobRun(Launcher launcher, ObjectNode circumstances, Path out) {
    this.launcher = launcher;
    this.circumstances = circumstances;
    this.out = out;
  }

  /** @return the line for the log */
  JsonNode make(StudyRun run) throws IOException, InterruptedException {
    Path folder = WorkFolder.make(out);
    try {
      ObjectNode result = Json.MAPPER.createObjectNode().put("key", run.key());
      run.describe(result);
      result.set("circumstances", circumstances);
      String refusal = run.refusal(launcher, folder);
      if (refusal != null) {
        return result.put("outcome", Outcome.UNAVAILABLE.word()).put("why", refusal);
      }
      result.put("load", load()).put("started", Instant.now().toString());
      long begin = System.nanoTime();
      double processorSeconds = childrenSeconds();
      EnergyMeter energy = new EnergyMeter();
      Integer code = run.start(launcher, folder, result);
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

  private static void measure(StudyRun run, Path folder, Integer code, ObjectNode result) throws IOException {
    if (code == null || code == TIMED_OUT) {
      fail(Outcome.HUNG, "it did not end in " + run.limitSeconds() + " s", folder, result);
      return;
    }
    String why = code == 0 ? run.measure(folder, result) : "it ended with " + code;
    if (why == null) {
      result.put("outcome", Outcome.ENDED.word());
    } else {
      fail(Outcome.FAILED, why, folder, result);
    }
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
