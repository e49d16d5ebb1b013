// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

import org.kintsugi.runtime.internal.InRecovery;

/**
 * The conditions for admitting new processes, and the policy that follows from them.
 *
 * <p>Each process has them as bits of its row in {@link RepairPlan}.
 */
@InRecovery
final class Admits {
  /** It is in the program's first run: new processes come to that one. */
  static final int IN_FIRST_RUN = 1;
  /** A process that waits may still come in this recovery. */
  static final int MAY_COME = 2;

  private Admits() {}

  /** The policy without enough spares. */
  static Policy policy(Policy asked, boolean inFirstRun, boolean mayCome) {
    boolean wantsNew = asked == Policy.SPAWN || asked == Policy.SPAWN_TOGETHER;
    if (!inFirstRun && wantsNew) {
      return Policy.RESTART;
    }
    if (mayCome) {
      return Policy.SPAWN; // before the policy decides, all wait for a process that is being started
    }
    return asked == Policy.SPAWN ? Policy.RESTART : asked;
  }
}
