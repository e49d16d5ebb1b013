// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint;

/**
 * How long to compute between two checkpoints, so that saving and lost work together cost least. Times are in seconds.
 *
 * <p>J. W. Young, "A first order approximation to the optimum checkpoint interval", 1974; J. T. Daly, "A higher order estimate
 * of the optimum checkpoint interval for restart dumps", 2006.
 */
public final class Interval {
  private Interval() {}

  /**
   * Young's optimum: {@code sqrt(2 C M)}, good where a save takes far less than the time between failures.
   *
   * @param saveSeconds C: how long a save holds up the program
   * @param mtbfSeconds M: the mean time between failures of the job
   * @return seconds of computing between two saves
   * @throws IllegalArgumentException if C is negative, or M not positive
   */
  public static double young(double saveSeconds, double mtbfSeconds) {
    check(saveSeconds, mtbfSeconds);
    return Math.sqrt(2 * saveSeconds * mtbfSeconds);
  }

  /**
   * Daly's optimum. It is the mean time between failures itself if a save takes at least twice
   * that.
   *
   * @param saveSeconds how long a save holds up the program
   * @param mtbfSeconds the mean time between failures of the job
   * @return seconds of computing between two saves
   * @throws IllegalArgumentException if the first is negative, or the second not positive
   */
  public static double daly(double saveSeconds, double mtbfSeconds) {
    check(saveSeconds, mtbfSeconds);
    if (saveSeconds >= 2 * mtbfSeconds) {
      return mtbfSeconds;
    }
    double ratio = saveSeconds / (2 * mtbfSeconds);
    return Math.sqrt(2 * saveSeconds * mtbfSeconds) * (1 + Math.sqrt(ratio) / 3 + ratio / 9) - saveSeconds;
  }

  private static void check(double saveSeconds, double mtbfSeconds) {
    if (!(saveSeconds >= 0) || Double.isInfinite(saveSeconds)) {
      throw new IllegalArgumentException("a save cannot take " + saveSeconds + " s");
    }
    if (!(mtbfSeconds > 0) || Double.isInfinite(mtbfSeconds)) {
      throw new IllegalArgumentException("the mean time between failures cannot be " + mtbfSeconds + " s");
    }
  }
}
