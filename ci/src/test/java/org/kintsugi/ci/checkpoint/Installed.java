// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.kintsugi.ci.ranks.RankJob;
import org.kintsugi.presets.Flavour;
import org.kintsugi.presets.OptionalHome;

/** FTI and SCR for the flavour of this execution of the tests. */
public final class Installed {
  private Installed() {}

  /**
   * Where a library is; where there is none the test is skipped, with everywhere it was looked for.
   *
   * @param library {@code fti} or {@code scr}
   */
  public static Path orSkip(String library) {
    RankJob.mpiOrSkip();
    try {
      return OptionalHome.find(library, Flavour.valueOf(RankJob.flavour().name()));
    } catch (UnsupportedOperationException e) {
      Assumptions.abort(e.getMessage());
      throw e;
    }
  }
}
