// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.pages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

/** The list of decisions, from the first lines of their pages. */
final class DecisionList {
  private static final String FOLDER = "docs/decisions";

  private DecisionList() {}

  /** The page by its path in a checkout. */
  static Map<String, String> of(Path checkout) throws IOException {
    StringBuilder text = new StringBuilder(INTRODUCTION);
    try (Stream<Path> files = Files.list(checkout.resolve(FOLDER))) {
      for (Path file : files.filter(file -> file.getFileName().toString().matches("\\d{4}-.*\\.md")).sorted().toList()) {
        String title = Files.readAllLines(file).get(0).replaceFirst("^# ", "");
        text.append("- [").append(title).append("](").append(file.getFileName()).append(")\n");
      }
    }
    return Map.of(FOLDER + "/index.md", text.toString());
  }

  private static final String INTRODUCTION =
      """
          <!-- Written by make pages, from the pages of this folder. -->

          # Decisions

          What was tried, what was kept, and why, one page each. Figures are those of their day; [figures](../figures.md) has the
          newest ones.

          """;
}
