// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Assumptions;
import org.kintsugi.ci.ranks.OptionalNatives;
import org.kintsugi.runtime.OptionalHome;
import org.kintsugi.test.RankJob;

/** FTI and SCR for the flavour of this execution of the tests. */
public final class Installed {
  private Installed() {}

  /**
   * The prefix of a library; without it the test is skipped.
   *
   * @param library {@code fti} or {@code scr}
   */
  public static Path orSkip(String library) {
    OptionalNatives.want();
    RankJob.mpiOrSkip();
    try {
      return OptionalHome.find(library, RankJob.flavour());
    } catch (UnsupportedOperationException e) {
      Assumptions.abort("no " + library.toUpperCase(Locale.ROOT) + " for the flavour " + RankJob.flavour()
          + ": install it as docs/" + library + ".md says");
      throw e;
    }
  }
}
