// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.lulesh;

import java.util.ArrayList;
import java.util.List;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;

/**
 * Makes nodes that several ranks have the same on all of them: {@link #sum} adds what each has, {@link #agree} takes over what
 * the rank with the higher number has. Ranks add in different orders, so the sums may differ in their last digit; positions and
 * velocities, which follow from them, are agreed on and do not drift apart.
 */
final class NodeExchange implements AutoCloseable {
  private static final int SUM_TAG = 1024;
  private static final int AGREE_TAG = 2048;

  /** Directions (x, y, z) in the order in which data from there are read: faces, edges, corners. */
  private static final int[][] DIRECTIONS = {
      {0, 0, -1}, {0, 0, 1}, {0, -1, 0}, {0, 1, 0}, {-1, 0, 0}, {1, 0, 0},
      {-1, -1, 0}, {0, -1, -1}, {-1, 0, -1}, {1, 1, 0}, {0, 1, 1}, {1, 0, 1},
      {-1, 1, 0}, {0, -1, 1}, {-1, 0, 1}, {1, -1, 0}, {0, 1, -1}, {1, 0, -1},
      {-1, -1, -1}, {-1, -1, 1}, {1, -1, -1}, {1, -1, 1}, {-1, 1, -1}, {-1, 1, 1}, {1, 1, -1}, {1, 1, 1}
  };

  private record Part(int[] nodes, Buf buffer) {}

  private final Messages messages;
  private final boolean adds;
  private final List<Part> incoming = new ArrayList<>();
  private final List<Part> outgoing = new ArrayList<>();
  private final double[] staging;

  private NodeExchange(Block block, Comm world, int tag, int fields, boolean adds) {
    this.adds = adds;
    messages = new Messages(world, tag);
    staging = new double[(block.edge + 1) * (block.edge + 1)];
    for (int[] d : DIRECTIONS) {
      int rank = block.neighbour(d[0], d[1], d[2]);
      if (rank >= 0 && (adds || rank > block.rank)) {
        int[] nodes = block.nodesTowards(d[0], d[1], d[2]);
        incoming.add(new Part(nodes, messages.incoming(rank, fields * nodes.length)));
      }
    }
    for (int[] d : DIRECTIONS) {
      int rank = block.neighbour(d[0], d[1], d[2]);
      if (rank >= 0 && (adds || rank < block.rank)) {
        int[] nodes = block.nodesTowards(d[0], d[1], d[2]);
        outgoing.add(new Part(nodes, messages.outgoing(rank, fields * nodes.length)));
      }
    }
  }

  /** Adds what all ranks have. @param world null: a block without neighbours */
  static NodeExchange sum(Block block, Comm world, int fields) {
    return new NodeExchange(block, world, SUM_TAG, fields, true);
  }

  /** Data go from the higher rank to the lower one. @param world null: a block without neighbours */
  static NodeExchange agree(Block block, Comm world, int fields) {
    return new NodeExchange(block, world, AGREE_TAG, fields, false);
  }

  /** Exchanges fields. @param fields as many as this exchange was made for */
  void exchange(double[]... fields) {
    for (int i = 0; i < outgoing.size(); i++) {
      pack(outgoing.get(i), fields);
    }
    messages.exchange();
    for (int i = 0; i < incoming.size(); i++) {
      unpack(incoming.get(i), fields);
    }
  }

  private void pack(Part part, double[][] fields) {
    int[] nodes = part.nodes;
    for (int f = 0; f < fields.length; f++) {
      double[] field = fields[f];
      for (int i = 0; i < nodes.length; i++) {
        staging[i] = field[nodes[i]];
      }
      part.buffer.put((long) f * nodes.length, staging, 0, nodes.length);
    }
  }

  private void unpack(Part part, double[][] fields) {
    int[] nodes = part.nodes;
    for (int f = 0; f < fields.length; f++) {
      double[] field = fields[f];
      part.buffer.get((long) f * nodes.length, staging, 0, nodes.length);
      if (adds) {
        for (int i = 0; i < nodes.length; i++) {
          field[nodes[i]] += staging[i];
        }
      } else {
        for (int i = 0; i < nodes.length; i++) {
          field[nodes[i]] = staging[i];
        }
      }
    }
  }

  @Override
  public void close() {
    messages.close();
  }
}
