// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments.report;

import com.fasterxml.jackson.databind.JsonNode;

/** A line of the log. */
record Result(JsonNode line) {
  /** What a run's time consists of. */
  enum Part {
    APPLICATION("application"), CHECKPOINTS("checkpoints"), RECOVERY("recovery");

    final String word;

    Part(String word) {
      this.word = word;
    }
  }

  String text(String name) {
    return line.path(name).asText();
  }

  int number(String name) {
    return line.path(name).asInt();
  }

  boolean hasEnded() {
    return text("outcome").equals("ended");
  }

  boolean isUnavailable() {
    return text("outcome").equals("unavailable");
  }

  double seconds(Part part) {
    return line.path("seconds").path(part.word).asDouble();
  }

  double value(String name) {
    return line.path(name).asDouble();
  }

  /** What is computed, without how: all answers are the same. */
  String problem() {
    return text("application") + "/" + text("input") + "/" + number("ranks");
  }

  /** All but the repetition. */
  Cell cell() {
    return new Cell(text("application"), text("input"), number("ranks"), text("design"), text("engine"), text("faults"));
  }

  /** A bar of a figure, and its place. */
  record Cell(String application, String input, int ranks, String design, String engine, String faults) {
    boolean hasFaults() {
      return !faults.equals("0");
    }
  }
}
