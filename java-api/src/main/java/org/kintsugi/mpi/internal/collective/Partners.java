// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.collective;

import java.util.Arrays;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;

/**
 * Assigns the holders of copies of memory: every rank holds one other's, on another node wherever that is possible.
 *
 * <p>The ranks are sorted by node, and a rank's copy goes as many places further as the fullest node has ranks (around the end
 * to the beginning). That reaches another node unless one node has more than half of all ranks, and then still for as many
 * copies as possible. On a single node the copy goes to the next rank.
 */
public final class Partners {
  private final int[] holders;
  private final int[] owners;

  private Partners(int size) {
    holders = new int[size];
    owners = new int[size];
  }

  /** A pure function, so that every rank gets the same: {@code nodes[rank]} says on which node a rank is, by any number. */
  public static Partners of(long[] nodes) {
    int size = nodes.length;
    long[] sorted = nodes.clone();
    Arrays.sort(sorted);
    int[] ranks = new int[size];
    int[] placed = new int[size];
    int fullest = 0;
    for (int rank = 0; rank < size; rank++) {
      int first = firstOf(sorted, nodes[rank]);
      ranks[first + placed[first]++] = rank;
      fullest = Math.max(fullest, placed[first]);
    }
    int distance = fullest == size ? 1 : fullest;
    Partners partners = new Partners(size);
    for (int i = 0; i < size; i++) {
      int owner = ranks[i];
      int holder = ranks[(i + distance) % size];
      partners.holders[owner] = holder;
      partners.owners[holder] = owner;
    }
    return partners;
  }

  /** A node's name as a number (FNV-1a with 64 bits): two nodes that came out as one would only be worse partners. */
  public static long fingerprint(String nodeName) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < nodeName.length(); i++) {
      hash = (hash ^ nodeName.charAt(i)) * 0x100000001b3L;
    }
    return hash;
  }

  /** The {@link #fingerprint} of each rank's node. Collective. */
  public static long[] nodes(Comm world, String nodeName) {
    long[] nodes = new long[world.size()];
    world.allGather(Buf.copyOf(fingerprint(nodeName)), Buf.wrap(nodes));
    return nodes;
  }

  private static int firstOf(long[] sorted, long node) {
    int low = 0;
    int high = sorted.length - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sorted[middle] < node) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The rank that holds a copy of this rank's memory; itself only if it is alone in the world. */
  public int holderOf(int rank) {
    return holders[rank];
  }

  /** The rank of whose memory this rank holds a copy. */
  public int ownerAt(int rank) {
    return owners[rank];
  }
}
