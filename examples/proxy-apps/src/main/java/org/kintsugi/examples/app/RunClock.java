// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.app;

import org.kintsugi.reinit.Run;
import org.kintsugi.reinit.State;

/**
 * How long a run takes, as the process sees it that reports.
 *
 * <p>A process that the runtime has started in a dead one's place begins in the middle of the recovery that it is a part of: the
 * time of that recovery is counted from its beginning all the same, so that no share of the total is negative.
 */
public final class RunClock {
  private final long startNanos = System.nanoTime();
  private boolean entered;
  private double secondsBefore;

  /** Starts it now. */
  public RunClock() {}

  /** To be called wherever the body is entered. */
  public void enter(Run run) {
    int recoveries = run.recoveries().size();
    if (!entered && run.state() == State.RESTARTED && recoveries > 0) {
      secondsBefore = Math.max(0, run.recoveries().get(recoveries - 1).totalMillis() / 1e3 - sinceStart());
    }
    entered = true;
  }

  private double sinceStart() {
    return (System.nanoTime() - startNanos) / 1e9;
  }

  /** From the start, or from the beginning of the recovery that this process was started in, in seconds. */
  public double seconds() {
    return secondsBefore + sinceStart();
  }
}
