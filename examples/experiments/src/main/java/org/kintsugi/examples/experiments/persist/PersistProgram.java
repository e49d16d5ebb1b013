// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments.persist;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.kintsugi.examples.experiments.ExperimentException;
import org.kintsugi.examples.experiments.Json;
import org.kintsugi.examples.persist.Heat;
import org.kintsugi.examples.persist.TwoProcesses;

/** A program of the paper, which loses a process and has the same answer all the same. A new program is one entry here. */
enum PersistProgram {
  HEAT(Heat.class, 50, "60", "40", "50", "--interval", "4") {
    @Override
    List<String> arguments(Path folder) {
      List<String> arguments = super.arguments(folder);
      arguments.addAll(List.of("--json", result(folder).toString()));
      return arguments;
    }

    @Override
    String measure(Path folder, int faults, ObjectNode line) throws IOException {
      if (!Files.exists(result(folder))) {
        return "there is no result";
      }
      JsonNode result = Json.MAPPER.readTree(result(folder).toFile());
      line.putObject("figures").put("hash", result.path("hash").asText());
      double millis = 0;
      for (JsonNode recovery : result.path("recoveries")) {
        millis += recovery.path("totalMillis").asDouble();
      }
      line.put("recoveryMillis", millis);
      int recoveries = result.path("recoveries").size();
      return recoveries == faults ? null : "it recovered " + recoveries + " times, and " + faults + " failures were planned";
    }
  },
  TWO_PROCESSES(TwoProcesses.class, 10) {
    @Override
    String measure(Path folder, int faults, ObjectNode line) throws IOException {
      List<String> finals = Files.readString(folder.resolve("output")).lines().filter(printed -> printed.startsWith("Final:"))
          .sorted().toList();
      ArrayNode answer = line.putObject("figures").putArray("final");
      finals.forEach(answer::add);
      return finals.size() == 2 ? null : "it printed " + finals.size() + " final values, and 2 were expected";
    }
  };

  /** The class with its main method. */
  final Class<?> main;
  /** Iterations that every run makes. */
  final int iterations;
  private final List<String> arguments;

  PersistProgram(Class<?> main, int iterations, String... arguments) {
    this.main = main;
    this.iterations = iterations;
    this.arguments = List.of(arguments);
  }

  /** As experiments have it. */
  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static PersistProgram of(String word) {
    return Arrays.stream(values()).filter(program -> program.word().equals(word)).findFirst()
        .orElseThrow(() -> new ExperimentException("program " + word + ": expected one of "
            + Arrays.stream(values()).map(PersistProgram::word).collect(Collectors.joining(", "))));
  }

  private static Path result(Path folder) {
    return folder.resolve("result.json");
  }

  List<String> arguments(Path folder) {
    return new ArrayList<>(arguments);
  }

  /** As {@link org.kintsugi.examples.experiments.StudyRun#measure}. */
  abstract String measure(Path folder, int faults, ObjectNode line) throws IOException;
}
