// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments;

import java.util.Locale;

/** What came of a run. */
enum Outcome {
  /** It ended, with an answer. The report compares it with the other designs' answers. */
  ENDED,
  FAILED,
  HUNG,
  /** This machine lacks an MPI or a library for it. */
  UNAVAILABLE;

  /** As results have it. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
