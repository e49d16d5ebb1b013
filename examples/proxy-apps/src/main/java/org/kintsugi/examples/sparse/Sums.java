// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.sparse;

import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Op;

/** Sums over the ranks: collective, the same bits on all. */
@FunctionalInterface
public interface Sums {
  /** One rank without others. */
  Sums ALONE = value -> value;

  /** The sum of one number of each rank. */
  double sum(double value);

  /** The sums over a communicator's ranks. */
  static Sums over(Comm world) {
    return value -> world.allReduce(value, Op.SUM);
  }
}
