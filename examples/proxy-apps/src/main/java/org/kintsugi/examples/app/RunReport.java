// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.app;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.kintsugi.checkpoint.LevelCost;
import org.kintsugi.reinit.Recovery;

/** The result of a run as JSON, numbers with all their digits; application-specific figures come in between. */
public final class RunReport {
  private final Map<String, Object> entries = new LinkedHashMap<>();

  /** Starts a report. */
  public RunReport(String app, int ranks, int spares) {
    entries.put("app", app);
    entries.put("ranks", ranks);
    entries.put("spares", spares);
  }

  /** Adds a figure. */
  public RunReport put(String name, Object value) {
    entries.put(name, value);
    return this;
  }

  /** Adds where time went, in seconds; the application's share is what is left of the total. */
  public RunReport times(double total, double checkpoint, List<Recovery> recoveries) {
    double recovery = 0;
    for (Recovery one : recoveries) {
      recovery += one.totalMillis() / 1e3;
    }
    Map<String, Double> times = new LinkedHashMap<>();
    times.put("application", total - checkpoint - recovery);
    times.put("checkpoint", checkpoint);
    times.put("recovery", recovery);
    times.put("total", total);
    entries.put("times", times);
    entries.put("recoveries", recoveries.stream().map(RunReport::toMap).toList());
    return this;
  }

  /** Adds what saves have cost the process that reports, by level. */
  public RunReport checkpoints(List<LevelCost> costs) {
    entries.put("checkpoints", costs.stream().map(RunReport::toMap).toList());
    return this;
  }

  private static Map<String, Object> toMap(LevelCost cost) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("level", cost.level());
    map.put("saves", cost.saves());
    map.put("bytes", cost.bytes());
    map.put("seconds", cost.seconds());
    map.put("bytesPerSecond", cost.throughput());
    return map;
  }

  private static Map<String, Object> toMap(Recovery recovery) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("failedRanks", recovery.failedRanks());
    map.put("detectionMillis", recovery.detectionMillis());
    map.put("repairMillis", recovery.repairMillis());
    map.put("totalMillis", recovery.totalMillis());
    return map;
  }

  /** Writes it under a temporary name and renames it, so that nobody sees a part of it. */
  public void write(Path file) throws IOException {
    OutputFile.write(file, new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(entries) + "\n");
  }
}
