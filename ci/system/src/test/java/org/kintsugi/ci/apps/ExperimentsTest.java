// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.apps;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.ci.checkout.Checkout;
import org.kintsugi.ci.ranks.Waiting;
import org.kintsugi.examples.experiments.persist.PostgresServer;

/** The papers' experiments in their smallest size, with real failures. Designs that need the fork run where it is installed. */
class ExperimentsTest {
  private static final Path EXPERIMENTS = Checkout.FOLDER.resolve("examples/experiments");
  private static final Path TWINS = Checkout.FOLDER.resolve("native/target/cmake-ulfm/lib/libkintsugi_twins.so");
  private static final int LIMIT_SECONDS = 480;
  private static final int ENDING_SECONDS = 30;
  private static final String MINE = """
      {"name": "mine", "title": "Mine", "paper": "none", "claims": "match", "over": "ranks", "seed": 5, "checkpointEvery": 5,
      "sizes": {"smoke": {"applications": ["hpccg"], "inputs": ["tiny"], "ranks": [2], "engines": ["memory"],
      "designs": ["ulfm-spares"], "faults": [0, 1], "repetitions": 2, "limitSeconds": 60}}}
      """;

  @TempDir
  private Path folder;

  private List<String> command(String... words) {
    List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
        System.getProperty("java.class.path"), "org.kintsugi.examples.experiments.ExperimentCommand", "--jmpirun",
        Checkout.FOLDER.resolve("bin/jmpirun").toString(), "--class-path", System.getProperty("java.class.path"), "--experiments",
        EXPERIMENTS.toString(), "--twins", TWINS.toString(), "--out", folder.toString()));
    command.addAll(List.of(words));
    return command;
  }

  private Process start(String... words) throws IOException {
    return new ProcessBuilder(command(words)).redirectErrorStream(true).redirectOutput(output().toFile())
        .redirectInput(new File("/dev/null")).start();
  }

  private Path output() {
    return folder.resolve("output");
  }

  private int run(String... words) throws IOException, InterruptedException {
    Process process = start(words);
    try {
      assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).as("it ends").isTrue();
      return process.exitValue();
    } finally {
      process.destroy(); // it ends its job, and removes its nodes
      if (!process.waitFor(ENDING_SECONDS, TimeUnit.SECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
    }
  }

  private String run(int code, String... words) throws IOException, InterruptedException {
    int ended = run(words);
    String printed = Files.readString(output());
    assertThat(ended).as(printed).isEqualTo(code);
    return printed;
  }

  private List<JsonNode> results(String name) throws IOException {
    List<JsonNode> results = new ArrayList<>();
    for (String line : Files.readAllLines(folder.resolve(name + ".jsonl"))) {
      results.add(new ObjectMapper().readTree(line));
    }
    return results;
  }

  @Test
  void theSmallestSizeOfAllEndsRight() throws IOException, InterruptedException {
    run(0, "match-scaling", "match-inputs", "match-failures", "reinit-scaling", "reinit-nodes");
    List<JsonNode> results = results("match-scaling-smoke");
    results.addAll(results("match-inputs-smoke"));
    results.addAll(results("match-failures-smoke"));
    results.addAll(results("reinit-scaling-smoke"));
    results.addAll(results("reinit-nodes-smoke"));
    assertThat(results).hasSize(22);
    for (JsonNode result : results) {
      assertThat(result.path("outcome").asText()).as(result.toString()).isIn("ended", "unavailable");
      boolean isOfFork = result.path("design").asText().startsWith("reinit");
      boolean needsNodes = result.path("faults").asText().equals("node");
      if (needsNodes && result.path("why").asText().startsWith("node failures need several hosts")) {
        System.out.println("not tested: " + result.path("key").asText() + ": " + result.path("why").asText());
        continue;
      }
      assertThat(result.path("outcome").asText()).as(result.toString())
          .isEqualTo(isOfFork && !hasFork(result) ? "unavailable" : "ended");
      if (result.path("outcome").asText().equals("ended")) {
        assertThat(result.path("seconds").path("application").asDouble()).as(result.toString()).isPositive();
        assertThat(result.path("processorSeconds").asDouble()).as(result.toString()).isPositive();
        assertThat(result.path("recoveries")).as(result.toString()).hasSize(needsNodes ? 1 : result.path("faults").asInt());
      }
      for (JsonNode recovery : result.path("recoveries")) {
        assertThat(recovery.path("seconds").asDouble()).as(result.toString()).isPositive();
      }
    }
    assertThat(folder.resolve("match-inputs-smoke.html")).content().contains("<svg").contains("0 with another answer");
  }

  @Test
  void revocationsAreMeasuredInJavaAndInC() throws IOException, InterruptedException {
    run(0, "revoke");
    List<JsonNode> results = results("revoke-smoke");
    assertThat(results).hasSize(4).allSatisfy(result -> {
      assertThat(result.path("times").asInt()).as(result.toString()).isPositive();
      for (String variant : List.of("Java", "C")) {
        for (String statistic : List.of("mean", "median")) {
          JsonNode latencies = result.path("micros").path(variant).path(statistic);
          assertThat(latencies).as(result.toString()).hasSize(7).allMatch(latency -> latency.asDouble() > 0);
        }
      }
    });
    assertThat(folder.resolve("revoke-smoke.html")).content().contains("Figure 3", "Figure 4", "Figure 5", "4 right")
        .doesNotContain("C was not measured");
  }

  @Test
  void persistingIsMeasuredAndItsProgramsHaveOneAnswer() throws IOException, InterruptedException {
    String refusal = PostgresServer.refusal();
    run(0, "persist");
    List<JsonNode> results = results("persist-smoke");
    assertThat(results).hasSize(3 * 5);
    for (JsonNode result : results) {
      boolean isMissing = refusal != null && result.path("engine").asText().equals("postgres");
      assertThat(result.path("outcome").asText()).as(result.toString()).isEqualTo(isMissing ? "unavailable" : "ended");
      if (!isMissing && result.path("input").asText().equals("overhead")) {
        assertThat(result.path("cases")).as(result.toString()).hasSize(4)
            .allMatch(one -> one.path("plain").asDouble() > 0 && one.path("stored").asDouble() > 0);
        assertThat(result.path("latency").path("ratio").asDouble()).as(result.toString()).isPositive();
      }
    }
    assertThat(folder.resolve("persist-smoke.html")).content().contains("Figure 9", "Figure 10", "0 with another answer");
  }

  private static boolean hasFork(JsonNode result) {
    return has(result, "MPI, reinit");
  }

  /** Whether {@code kintsugi info} has found it. */
  private static boolean has(JsonNode result, String what) {
    return result.path("circumstances").path("installed").asText().lines()
        .anyMatch(line -> line.startsWith(what) && !line.substring(what.length()).strip().startsWith("none"));
  }

  @Test
  void checkpointsMayBeOfFtiAndScr() throws IOException, InterruptedException {
    String libraries = Files.writeString(folder.resolve("libraries.json"),
        MINE.replace("mine", "libraries").replace("\"memory\"", "\"fti\", \"scr\"").replace("[0, 1]", "[1]")
            .replace("\"repetitions\": 2", "\"repetitions\": 1"))
        .toString();
    run(libraries);
    List<JsonNode> results = results("libraries-smoke");
    assertThat(results).as(Files.readString(output())).hasSize(2);
    for (JsonNode result : results) {
      String library = result.path("engine").asText().toUpperCase(Locale.ROOT) + ", ulfm";
      if (!has(result, library)) {
        System.out.println("not tested: " + result.path("why").asText());
      }
      assertThat(result.path("outcome").asText()).as(result.toString()).isEqualTo(has(result, library) ? "ended" : "unavailable");
    }
  }

  @Test
  void oneThatIsStoppedGoesOn() throws IOException, InterruptedException {
    String mine = Files.writeString(folder.resolve("mine.json"), MINE).toString();
    Process stopped = start(mine);
    Path log = folder.resolve("mine-smoke.jsonl");
    try {
      Waiting.until("a result", LIMIT_SECONDS, () -> Files.exists(log) && Files.size(log) > 0, () -> Files.readString(output()));
      assertThat(run(2, mine)).contains("is in use");
      stopped.destroy(); // as Ctrl-C does
      assertThat(stopped.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    } finally {
      stopped.destroyForcibly();
    }
    int made = Files.readAllLines(log).size();
    assertThat(made).as(Files.readString(output())).isBetween(1, 3);
    assertThat(run(0, mine)).contains("mine, smoke: 4 runs, " + made + " of them made already").contains("4 runs: 4 right");
    assertThat(results("mine-smoke").stream().map(result -> result.path("key").asText()).distinct()).hasSize(4);
    assertThat(results("mine-smoke")).hasSize(4);
  }

  @Test
  void mistakesAreNamedAndNothingRuns() throws IOException, InterruptedException {
    assertThat(run(2, "match-scalling")).contains("match-scalling is no experiment");
    assertThat(run(2, "match-scaling", "--size", "huge")).contains("--size huge").contains("laptop");
    if (Runtime.getRuntime().availableProcessors() < 64) {
      assertThat(run(2, "match-scaling", "--size", "paper")).contains("needs up to 512 ranks").contains("--any-machine");
    }
  }
}
