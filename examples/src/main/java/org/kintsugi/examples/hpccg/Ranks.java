// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.hpccg;

/** The solver's communication with other ranks; its numerics use nothing else of them. Every call is collective. */
interface Ranks {
  /** Fills the ghosts of a vector with the neighbours' planes. */
  void fillGhosts(double[] vector);

  /** The sum of one number of each rank, the same bits on all. */
  double sum(double value);

  /** The greatest of one number of each rank. */
  double max(double value);
}
