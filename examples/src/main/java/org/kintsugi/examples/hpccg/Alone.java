// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.hpccg;

/** One rank without others: no ghosts, no messages. */
final class Alone implements Ranks {
  @Override
  public void fillGhosts(double[] vector) {
    // A block without neighbours has none.
  }

  @Override
  public double sum(double value) {
    return value;
  }

  @Override
  public double max(double value) {
    return value;
  }
}
