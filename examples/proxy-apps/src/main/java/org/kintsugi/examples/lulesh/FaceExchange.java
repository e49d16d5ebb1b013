// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.lulesh;

import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;

/**
 * Gradients of velocity in the elements beyond a block's six faces. Along an axis only the gradient
 * along that axis is needed.
 */
final class FaceExchange implements AutoCloseable {
  private static final int TAG = 3072;
  private static final int AXES = 3;

  private final int edge;
  private final Messages messages;
  /** By axis: the values before the block and after it; null if there is no rank. */
  private final Buf[] received = new Buf[2 * AXES];
  private final Buf[] sent = new Buf[2 * AXES];
  private final double[][] ghosts = new double[2 * AXES][];
  private final boolean[] isSymmetric = new boolean[AXES];
  private final double[] staging;

  /** @param world null: a block without neighbours */
  FaceExchange(Block block, Comm world) {
    edge = block.edge;
    messages = new Messages(world, TAG);
    staging = new double[edge * edge];
    for (int face = 0; face < 2 * AXES; face++) {
      int rank = neighbour(block, face);
      if (rank >= 0) {
        ghosts[face] = new double[edge * edge];
        received[face] = messages.incoming(rank, edge * edge);
      } else if (face % 2 == 0) {
        isSymmetric[face / 2] = true;
      }
    }
    for (int face = 0; face < 2 * AXES; face++) {
      int rank = neighbour(block, face);
      if (rank >= 0) {
        sent[face] = messages.outgoing(rank, edge * edge);
      }
    }
  }

  private static int neighbour(Block block, int face) {
    int step = face % 2 == 0 ? -1 : 1;
    int axis = face / 2;
    return block.neighbour(axis == 0 ? step : 0, axis == 1 ? step : 0, axis == 2 ? step : 0);
  }

  /** Fills the ghosts with the neighbours' gradients. @param gradient by axis, of elements */
  void exchange(double[][] gradient) {
    for (int face = 0; face < 2 * AXES; face++) {
      if (sent[face] != null) {
        collect(gradient[face / 2], face);
        sent[face].put(0, staging, 0, staging.length);
      }
    }
    messages.exchange();
    for (int face = 0; face < 2 * AXES; face++) {
      if (received[face] != null) {
        received[face].get(0, ghosts[face], 0, staging.length);
      }
    }
  }

  private void collect(double[] gradient, int face) {
    int axis = face / 2;
    int stride = axis == 0 ? 1 : axis == 1 ? edge : edge * edge;
    int inner = axis == 0 ? edge : 1;
    int outer = axis == 2 ? edge : edge * edge;
    int first = face % 2 == 0 ? 0 : (edge - 1) * stride;
    for (int j = 0; j < edge; j++) {
      for (int i = 0; i < edge; i++) {
        staging[i + edge * j] = gradient[first + i * inner + j * outer];
      }
    }
  }

  /** The value before the first layer of an axis: a mirror image on a plane of symmetry. */
  double before(int axis, int inFace, double own) {
    return isSymmetric[axis] ? own : ghosts[2 * axis][inFace];
  }

  /** The value after the last layer; 0 on a free face. */
  double behind(int axis, int inFace) {
    double[] ghost = ghosts[2 * axis + 1];
    return ghost == null ? 0.0 : ghost[inFace];
  }

  @Override
  public void close() {
    messages.close();
  }
}
