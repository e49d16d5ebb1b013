// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime;

/**
 * One injected process failure.
 *
 * @param kind what dies
 * @param rank whose
 * @param iteration when: as the program counts
 */
public record Kill(Kind kind, int rank, long iteration) {
  /** The kinds of injected failures. */
  public enum Kind {
    /** One process. */
    PROCESS("process"),
    /** A node: its daemon and all its processes. */
    NODE("node");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    /** As it is written in specifications. */
    @Override
    public String toString() {
      return word;
    }
  }

  /** As a specification. */
  @Override
  public String toString() {
    return kind + ":" + rank + "@" + iteration;
  }
}
