// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.sparse;

import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.PersistentRequest;

/** Exchange of ghosts by one message each way per neighbour. Nothing is allocated after the constructor. */
public final class GhostExchange implements Ghosts, AutoCloseable {
  private final GhostLayout layout;
  private final Buf[] owned;
  private final Buf[] ghosts;
  private final double[] values;
  /** Owned values out, ghosts in. */
  private final PersistentRequest[] filling;
  /** Ghosts out, contributions to owned values in. */
  private final PersistentRequest[] adding;

  /** For vectors of a layout, between the ranks of a communicator, with messages of a tag of its own. */
  public GhostExchange(GhostLayout layout, Comm world, int tag) {
    this.layout = layout;
    int count = layout.neighbours().length;
    owned = new Buf[count];
    ghosts = new Buf[count];
    filling = new PersistentRequest[2 * count];
    adding = new PersistentRequest[2 * count];
    int most = 0;
    for (int i = 0; i < count; i++) {
      int neighbour = layout.neighbours()[i];
      owned[i] = Buf.ofDoubles(layout.sends()[i].length);
      ghosts[i] = Buf.ofDoubles(layout.ghosts()[i]);
      filling[i] = world.recvInit(ghosts[i], neighbour, tag);
      filling[count + i] = world.sendInit(owned[i], neighbour, tag);
      adding[i] = world.recvInit(owned[i], neighbour, tag);
      adding[count + i] = world.sendInit(ghosts[i], neighbour, tag);
      most = Math.max(most, layout.sends()[i].length);
    }
    values = new double[most];
  }

  @Override
  public void fill(double[] vector) {
    for (int i = 0; i < owned.length; i++) {
      int[] list = layout.sends()[i];
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
    run(adding);
    for (int i = 0; i < owned.length; i++) {
      int[] list = layout.sends()[i];
      owned[i].get(0, values, 0, list.length);
      for (int k = 0; k < list.length; k++) {
        vector[list[k]] += values[k];
      }
    }
  }

  private static void run(PersistentRequest[] requests) {
    PersistentRequest.startAll(requests);
    for (PersistentRequest request : requests) {
      request.waitFor();
    }
  }

  @Override
  public void close() {
    for (int i = 0; i < filling.length; i++) {
      filling[i].close();
      adding[i].close();
    }
    for (int i = 0; i < owned.length; i++) {
      owned[i].close();
      ghosts[i].close();
    }
  }
}
