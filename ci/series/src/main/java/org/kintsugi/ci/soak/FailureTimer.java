// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.soak;

import java.util.concurrent.locks.LockSupport;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.runtime.SignalNumbers;

/**
 * A thread that ends this process by SIGKILL at a given moment.
 *
 * <p>It waits long before that moment, so that it is in time.
 */
public final class FailureTimer {

  private final Thread thread;
  private volatile long failureNanos;

  /** Begins to wait. */
  public FailureTimer() {
    this(() -> {});
  }

  /**
   * Begins to wait.
   *
   * @param lastWords what its thread does when the moment has come, before it ends the process
   */
  FailureTimer(Runnable lastWords) {
    int self = (int) ProcessHandle.current().pid();
    Kintsugi.kintsugi_kill(self, 0); // loaded now, so that death is quick
    thread = new Thread(() -> {
      while (failureNanos == 0) {
        LockSupport.park(this);
      }
      long left;
      while ((left = failureNanos - System.nanoTime()) > 0) {
        LockSupport.parkNanos(left);
      }
      lastWords.run();
      Kintsugi.kintsugi_kill(self, SignalNumbers.SIGKILL);
    }, "death-timer");
    thread.setDaemon(true);
    thread.start();
  }

  /** Ends this process after a time in nanoseconds. */
  public void strikeAfter(long nanos) {
    failureNanos = System.nanoTime() + nanos;
    LockSupport.unpark(thread);
  }

  /**
   * Waits for the end of this process; returns at once if none was set.
   *
   * <p>A rank whose work is done calls it in the run, as it cannot be replaced after the run.
   */
  public void await() {
    while (failureNanos != 0) {
      LockSupport.park(this);
    }
  }
}
