// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.timeline;

/** The colours of the steps of a recovery, by the names that a recording has. */
final class StepColours {
  private StepColours() {}

  static String of(String step) {
    return switch (step) {
      case "roll back" -> "#f19a8e";
      case "meet" -> "#d2749a";
      case "shrink", "repair by the runtime" -> "#e2703a";
      case "exchange states", "roll call" -> "#a98bd0";
      case "admit a process" -> "#5d6bd0";
      case "split" -> "#e58fc4";
      case "agree" -> "#c4616c";
      case "enter" -> "#f5bd5c";
      default -> BarKind.RECOVERS.colour;
    };
  }
}
