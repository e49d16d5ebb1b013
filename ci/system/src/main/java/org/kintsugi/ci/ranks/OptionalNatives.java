// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.ranks;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.test.RankJob;

/** Native libraries that tests use and a machine may lack: the Reinit++ fork, FTI, SCR. Remembers that a test looked for one. */
public final class OptionalNatives {
  /** For each thread that runs tests, as several test classes run in parallel. */
  private static final ThreadLocal<AtomicBoolean> WANTED = new ThreadLocal<>();

  private static final Set<AtomicBoolean> UNDER_WAY = ConcurrentHashMap.newKeySet();

  private OptionalNatives() {}

  /** To be said before one is looked for. On a thread that a test has begun it counts for all tests that are under way. */
  public static void want() {
    AtomicBoolean ofThisTest = WANTED.get();
    (ofThisTest == null ? UNDER_WAY : Set.of(ofThisTest)).forEach(wanted -> wanted.set(true));
  }

  /** The Reinit++ fork, for a test of the other flavour's execution; where there is none the test is skipped. */
  public static MpiHome forkOrSkip() {
    want();
    return RankJob.mpiOrSkip(Flavour.REINIT);
  }

  /** Whether one was looked for since {@link #forget}; all tests of the fork's execution look for the fork. */
  public static boolean wereWanted() {
    AtomicBoolean ofThisTest = WANTED.get();
    return ofThisTest != null && ofThisTest.get() || RankJob.flavour() == Flavour.REINIT;
  }

  /** A new test begins. */
  public static void forget() {
    if (WANTED.get() != null) {
      UNDER_WAY.remove(WANTED.get());
    }
    WANTED.set(new AtomicBoolean());
    UNDER_WAY.add(WANTED.get());
  }
}
