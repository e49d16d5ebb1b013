// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments.revoke;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.kintsugi.examples.experiments.Json;
import org.kintsugi.examples.experiments.Launcher;
import org.kintsugi.examples.experiments.StudyRun;

/**
 * One job, which repeats a revocation many times.
 *
 * @param times repetitions in the job
 * @param seconds after which there are no more
 * @param twins the library of C twins; null: Java only
 */
record RevokeRun(String experiment, String size, Point point, int repetition, int times, double seconds, int limitSeconds,
    Path twins) implements StudyRun {
  /**
   * What is measured.
   *
   * @param bytes of an allreduce; 0: a barrier
   * @param initiator the rank that revokes
   */
  record Point(int bytes, int ranks, int initiator) {
    String collective() {
      return bytes == 0 ? "barrier" : "allreduce";
    }
  }

  @Override
  public String key() {
    return String.join("/", experiment, size, point.collective(), point.bytes + "-bytes", point.ranks + "-ranks",
        "initiator-" + point.initiator, String.valueOf(repetition),
        Integer.toHexString(Objects.hash(times, seconds, twins != null)));
  }

  @Override
  public void describe(ObjectNode line) {
    line.put("experiment", experiment).put("size", size).put("application", point.collective())
        .put("input", point.bytes + " bytes").put("bytes", point.bytes).put("ranks", point.ranks)
        .put("initiator", point.initiator).put("repetition", repetition);
    if (twins == null) {
      line.put("withoutC", "the C twin is built in a checkout only (make papers)");
    }
  }

  @Override
  public String refusal(Launcher launcher, Path folder) throws IOException, InterruptedException {
    return launcher.refusal(null, command(launcher, folder), folder);
  }

  private static Path result(Path folder) {
    return folder.resolve("result.json");
  }

  @Override
  public Integer start(Launcher launcher, Path folder, ObjectNode line) throws IOException, InterruptedException {
    return launcher.run(command(launcher, folder), limitSeconds, folder, line);
  }

  private List<String> command(Launcher launcher, Path folder) {
    return launcher.command(point.ranks, limitSeconds, List.of("--spares", "0"),
        twins == null ? Map.of() : Map.of(RevokeRanks.TWINS, twins.toAbsolutePath().toString()), RevokeRanks.class,
        List.of(String.valueOf(point.bytes / Double.BYTES), String.valueOf(point.initiator), String.valueOf(times),
            String.valueOf(seconds), result(folder).toString()));
  }

  @Override
  public String measure(Path folder, ObjectNode line) throws IOException {
    if (!Files.exists(result(folder))) {
      return "there is no result";
    }
    JsonNode figures = Json.MAPPER.readTree(result(folder).toFile());
    line.put("times", figures.path("times").asInt());
    line.set("micros", figures.path("micros"));
    return null;
  }
}
