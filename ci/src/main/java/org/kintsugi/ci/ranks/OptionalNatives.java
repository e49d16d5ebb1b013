// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.ranks;

import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.test.RankJob;

/** Native libraries that tests use and a machine may lack: the Reinit++ fork, FTI, SCR. Remembers that a test looked for one. */
public final class OptionalNatives {
  /** Set for each thread: a few test classes run beside others. */
  private static final ThreadLocal<Boolean> WANTED = ThreadLocal.withInitial(() -> false);

  private OptionalNatives() {}

  /** To be said before one is looked for. */
  public static void want() {
    WANTED.set(true);
  }

  /** The Reinit++ fork, for a test of the other flavour's execution; where there is none the test is skipped. */
  public static MpiHome forkOrSkip() {
    want();
    return RankJob.mpiOrSkip(Flavour.REINIT);
  }

  /** Whether one was looked for since {@link #forget}; all tests of the fork's execution look for the fork. */
  public static boolean wereWanted() {
    return WANTED.get() || RankJob.flavour() == Flavour.REINIT;
  }

  /** A new test begins. */
  public static void forget() {
    WANTED.set(false);
  }
}
