// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import org.kintsugi.reinit.RunResult;
import org.kintsugi.test.RankJob;

/** The report of a process with a rank, as the value of its run. */
record RankReport(int rank, String text) {
  /** Writes it, but for a process that stayed a spare. */
  static void write(String folder, RunResult<RankReport> result) {
    if (!result.stayedSpare()) {
      RankJob.report(folder, String.valueOf(result.value().rank), result.value().text);
    }
  }
}
