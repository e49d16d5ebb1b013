// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.runtime.internal.InRecovery;

/**
 * A sleep that the failure of a process of the job interrupts, where the launcher's notices are available
 * (native/src/process_failures.c).
 */
@InRecovery
final class ProcessFailureWatch {
  private final boolean watching = Kintsugi.kintsugi_watch_failures() == 0;

  /**
   * Sleeps.
   *
   * @return whether a process is known to have failed since the last call; false also where that cannot be known
   */
  boolean await(long micros) {
    if (watching) {
      return Kintsugi.kintsugi_await_failure(micros) != 0;
    }
    LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(micros));
    return false;
  }
}
