// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments.report;

import java.util.Locale;

/** What the figures of an experiment have on the horizontal axis. */
enum Axis {
  RANKS("ranks"), INPUTS("input"), FAULTS("faults");

  /** Where a result has its place on the axis. */
  final String field;

  Axis(String field) {
    this.field = field;
  }

  /** @param over as an experiment has it */
  static Axis of(String over) {
    return valueOf(over.toUpperCase(Locale.ROOT));
  }

  /** As figures have it. */
  String title() {
    return this == FAULTS ? "failures" : name().toLowerCase(Locale.ROOT);
  }
}
