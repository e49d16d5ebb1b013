// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.kintsugi.examples.experiments.ExperimentCommand;
import org.kintsugi.examples.experiments.report.PersistReport;

/** Persistent communicators, by the experiment {@code persist}: its report is in the folder of the benchmark. */
final class PersistBench {
  private static final String SIZE = "laptop";

  private final Path root;

  /** @param root the checkout */
  PersistBench(Path root) {
    this.root = root;
  }

  /** Runs it anew. @return its report, to take figures from */
  PersistReport run() throws IOException {
    Path out = Files.createDirectories(root.resolve("target/bench-persist"));
    Path log = out.resolve("persist-" + SIZE + ".jsonl");
    Files.deleteIfExists(log);
    int code = ExperimentCommand.execute("--jmpirun", root.resolve("bin/jmpirun").toString(), "--class-path",
        System.getProperty("java.class.path"), "--experiments", root.resolve("examples/experiments").toString(), "--size", SIZE,
        "--out", out.toString(), "persist");
    if (code != 0) {
      throw new IOException(
          "the experiment persist ended with " + code + ": see " + log.resolveSibling("persist-" + SIZE + ".html"));
    }
    List<JsonNode> lines = new ArrayList<>();
    for (String line : Files.readAllLines(log)) {
      lines.add(new ObjectMapper().readTree(line));
    }
    PersistReport report = new PersistReport("", "", lines);
    print("storing 1 KiB over a plain send", report.latencies());
    print("c of T(i) = (i + c)/i, by interval", report.intervalParameters());
    return report;
  }

  private static void print(String title, Map<String, Double> values) {
    System.out.println("\n" + title);
    values.forEach((store, value) -> System.out.printf("%-10s %10.3f%n", store, value));
  }
}
