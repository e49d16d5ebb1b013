// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.amg;

import org.kintsugi.examples.sparse.Ranks;

/** From the coarse rows of a level to all of them: what the ways to interpolate have in common. {@link #rows} is collective. */
abstract class Interpolation {
  final Rows matrix;
  final Neighbourhood around;
  final Strength strength;
  /** By local row, ghosts included. */
  final double[] status;
  /** The number on the next level of rows that are coarse; by local row, ghosts included. */
  final double[] coarse;
  final Ranks ranks;

  Interpolation(Rows matrix, Neighbourhood around, Strength strength, double[] status, double[] coarse, Ranks ranks) {
    this.matrix = matrix;
    this.around = around;
    this.strength = strength;
    this.status = status;
    this.coarse = coarse;
    this.ranks = ranks;
  }

  /** The interpolation's rows; columns are numbers on the next level. */
  abstract Rows rows();

  boolean isCoarse(int local) {
    return status[local] == Coarsening.COARSE;
  }

  boolean isFine(int local) {
    return status[local] == Coarsening.FINE;
  }

  boolean isSpecial(int local) {
    return status[local] == Coarsening.SPECIAL;
  }

  int local(int entry) {
    return around.local(matrix.column(entry));
  }
}
