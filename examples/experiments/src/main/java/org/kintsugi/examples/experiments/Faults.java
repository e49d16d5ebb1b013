// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments;

/**
 * The failures that are injected into a run: of processes, one after the other, or of a node.
 *
 * @param count how many
 * @param isOfNode whether a whole node fails, with all of its processes
 */
record Faults(int count, boolean isOfNode) {
  private static final String NODE = "node";

  /** @param word a number of process failures, or {@code node} */
  static Faults of(String word) {
    if (NODE.equals(word)) {
      return new Faults(1, true);
    }
    try {
      int count = Integer.parseInt(word);
      if (count >= 0) {
        return new Faults(count, false);
      }
    } catch (NumberFormatException notANumber) {
      // as any other word
    }
    throw new ExperimentException("faults " + word + ": expected a number of process failures, or " + NODE);
  }

  /** As experiments and results have it. */
  String word() {
    return isOfNode ? NODE : String.valueOf(count);
  }

  boolean isNone() {
    return count == 0;
  }
}
