// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint;

/**
 * The cost of this process's saves to one level.
 *
 * @param level the engine's name for it: {@code memory}, {@code fti L3}
 * @param saves how many were completed
 * @param bytes of this process's images, all saves together
 * @param seconds for which the program was held up, all saves together: composing the image, writing or waiting for it, agreeing
 */
public record LevelCost(String level, long saves, long bytes, double seconds) {
  /**
   * Bytes per second that this process has saved while it was held up.
   *
   * @return zero before the first save
   */
  public double throughput() {
    return seconds == 0 ? 0 : bytes / seconds;
  }

  LevelCost plus(long moreBytes, double moreSeconds) {
    return new LevelCost(level, saves + 1, bytes + moreBytes, seconds + moreSeconds);
  }
}
