// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.growth;

/** What all processes of a {@link Simulation} do. */
interface Script {
  /** The number of processes. */
  int processes();

  /**
   * Says what a process does next. A pure function of its arguments, so that no state of a million processes is kept.
   *
   * @param phase of the process; a process begins with 0
   * @param index of the operation in the phase
   * @return whether the phase has such an operation; false: the process continues with the next phase
   */
  boolean at(int process, int phase, int index, Operation next);
}
