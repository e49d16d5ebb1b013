// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Assumptions;
import org.kintsugi.ci.ranks.RankJob;
import org.kintsugi.presets.Flavour;
import org.kintsugi.presets.OptionalHome;

/** Where FTI is for the flavour that the tests run for. */
final class FtiHome {
  private FtiHome() {}

  /** Skips the test, with the reason, where FTI is not installed. */
  static Path orSkip() {
    RankJob.mpiOrSkip();
    try {
      return OptionalHome.find("fti", Flavour.valueOf(RankJob.flavour().word().toUpperCase(Locale.ROOT)));
    } catch (UnsupportedOperationException e) {
      Assumptions.abort(e.getMessage());
      throw e;
    }
  }
}
