// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.sparse;

import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.PersistentRequest;

/** Exchange of ghosts by one message each way per neighbour. Nothing is allocated after the first use. */
public final class GhostExchange implements Ghosts, AutoCloseable {
  private final GhostLayout layout;
  private final Comm world;
  private final int tag;
  private final Buf[] owned;
  private final Buf[] ghosts;
  /** By neighbour: whether the values that it needs are next to each other, as those of a plane can be. */
  private final boolean[] areInARow;
  private final double[] values;
  /** Owned values out, ghosts in. */
  private final PersistentRequest[] filling;
  /** Ghosts out, contributions to owned values in; made when they are first needed, as most never do. */
  private PersistentRequest[] adding;

  /**
   * Collective.
   *
   * @param layout of the vectors
   * @param world stays the caller's, and has to outlive this
   * @param tag of its messages: no others of this communicator may have it
   */
  public GhostExchange(GhostLayout layout, Comm world, int tag) {
    this.layout = layout;
    this.world = world;
    this.tag = tag;
    int count = layout.neighbours().length;
    owned = new Buf[count];
    ghosts = new Buf[count];
    filling = new PersistentRequest[2 * count];
    areInARow = new boolean[count];
    int most = 0;
    for (int i = 0; i < count; i++) {
      int neighbour = layout.neighbours()[i];
      owned[i] = Buf.allocateDoubles(layout.sends()[i].length);
      ghosts[i] = Buf.allocateDoubles(layout.ghosts()[i]);
      filling[i] = world.recvInit(ghosts[i], neighbour, tag);
      filling[count + i] = world.sendInit(owned[i], neighbour, tag);
      areInARow[i] = isRow(layout.sends()[i]);
      most = Math.max(most, layout.sends()[i].length);
    }
    values = new double[most];
  }

  private static boolean isRow(int[] list) {
    for (int k = 1; k < list.length; k++) {
      if (list[k] != list[0] + k) {
        return false;
      }
    }
    return list.length > 0;
  }

  @Override
  public void fill(double[] vector) {
    for (int i = 0; i < owned.length; i++) {
      int[] list = layout.sends()[i];
      if (areInARow[i]) {
        owned[i].put(0, vector, list[0], list.length);
        continue;
      }
      for (int k = 0; k < list.length; k++) {
        values[k] = vector[list[k]];
      }
      owned[i].put(0, values, 0, list.length);
    }
    run(filling);
    int ghost = layout.owned();
    for (int i = 0; i < ghosts.length; i++) {
      ghosts[i].get(0, vector, ghost, layout.ghosts()[i]);
      ghost += layout.ghosts()[i];
    }
  }

  @Override
  public void addBack(double[] vector) {
    int ghost = layout.owned();
    for (int i = 0; i < ghosts.length; i++) {
      ghosts[i].put(0, vector, ghost, layout.ghosts()[i]);
      ghost += layout.ghosts()[i];
    }
    if (adding == null) {
      adding = makeAdding();
    }
    run(adding);
    for (int i = 0; i < owned.length; i++) {
      int[] list = layout.sends()[i];
      owned[i].get(0, values, 0, list.length);
      for (int k = 0; k < list.length; k++) {
        vector[list[k]] += values[k];
      }
    }
  }

  private PersistentRequest[] makeAdding() {
    int count = owned.length;
    PersistentRequest[] requests = new PersistentRequest[2 * count];
    for (int i = 0; i < count; i++) {
      requests[i] = world.recvInit(owned[i], layout.neighbours()[i], tag);
      requests[count + i] = world.sendInit(ghosts[i], layout.neighbours()[i], tag);
    }
    return requests;
  }

  private static void run(PersistentRequest[] requests) {
    PersistentRequest.startAll(requests);
    for (PersistentRequest request : requests) {
      request.waitFor();
    }
  }

  @Override
  public void close() {
    for (PersistentRequest request : filling) {
      request.close();
    }
    for (PersistentRequest request : adding == null ? new PersistentRequest[0] : adding) {
      request.close();
    }
    for (int i = 0; i < owned.length; i++) {
      owned[i].close();
      ghosts[i].close();
    }
  }
}
