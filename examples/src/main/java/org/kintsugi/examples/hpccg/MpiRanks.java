// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.hpccg;

import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Op;

/** The ranks of a communicator. Nothing is allocated after the constructor. */
final class MpiRanks implements Ranks, AutoCloseable {
  private final Comm world;
  private final Halo halo;

  MpiRanks(StencilMatrix matrix, Comm world) {
    this.world = world;
    halo = new Halo(matrix, world);
  }

  @Override
  public void fillGhosts(double[] vector) {
    halo.exchange(vector);
  }

  @Override
  public double sum(double value) {
    return world.allReduce(value, Op.SUM);
  }

  @Override
  public double max(double value) {
    return world.allReduce(value, Op.MAX);
  }

  @Override
  public void close() {
    halo.close();
  }
}
