// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.soak;

/** The placement of a job's processes, as far as engines can see it by files and host names. */
public enum Nodes {
  /** All processes are on this node. */
  ONE,
  /**
   * Each process is on a node of its own.
   *
   * <p>A spare has none of the failed process's files. On the fork the replacement starts on the
   * same node, where no warm JVM waits.
   */
  OWN
}
