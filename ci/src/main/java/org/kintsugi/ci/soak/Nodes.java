// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.soak;

/** The placement of a job's processes, as far as engines can see it by files and host names. */
public enum Nodes {
  /** On this one. */
  ONE,
  /**
   * Each on one of its own. A spare has nothing of what the dead one had; on the fork a rank comes back to its node, where no JVM
   * is warm.
   */
  OWN
}
