// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.proof;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The differences that are printed. Most failures make the same ones: each is printed once. */
final class Shown {
  private final Set<String> known = new HashSet<>();

  /** What to print of the differences after a failure. */
  List<String> lines(List<String> differences) {
    List<String> lines = new ArrayList<>(differences);
    lines.removeIf(difference -> !known.add(difference));
    int again = differences.size() - lines.size();
    if (again > 0) {
      lines.add(lines.isEmpty() ? "the same differences as after a failure above"
          : again == 1 ? "and one of the differences above" : "and " + again + " of the differences above");
    }
    return lines;
  }
}
