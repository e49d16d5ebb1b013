// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.minife;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.kintsugi.examples.sparse.CompressedRows;
import org.kintsugi.examples.sparse.GhostLayout;

/**
 * One rank's part of the mesh: its elements, its nodes, and the nodes of other ranks around them. A node belongs to the rank of
 * the element above it in every direction; the last layer belongs to the last rank.
 *
 * <p>Rows of the matrix are nodes. In all, they are numbered rank by rank, inside of a rank with z outermost; on a rank, owned
 * nodes come first in that order, then the ghosts of one neighbour after the other. Everything follows from the boxes of all
 * ranks, so that no message is needed.
 */
final class Mesh {
  final int nx;
  final int ny;
  final int nz;
  /** Elements of this rank. */
  final Box elements;
  /** Nodes that it owns. */
  final Box nodes;
  /** Owned nodes and those around them. */
  final Box seen;
  final GhostLayout layout;
  private final int[] localRow;
  private final int[] globalRow;

  Mesh(int nx, int ny, int nz, int rank, int ranks) {
    this.nx = nx;
    this.ny = ny;
    this.nz = nz;
    Box[] boxes = boxes(nx, ny, nz, ranks);
    elements = boxes[rank];
    nodes = nodesOf(elements);
    seen = nodes.grown().meet(new Box(0, nx + 1, 0, ny + 1, 0, nz + 1));
    localRow = new int[(int) seen.size()];
    globalRow = new int[(int) seen.size()];
    layout = number(boxes, rank);
  }

  /** The elements of each rank. */
  static Box[] boxes(int nx, int ny, int nz, int ranks) {
    return Box.split(new Box(0, nx, 0, ny, 0, nz), ranks);
  }

  private Box nodesOf(Box box) {
    return new Box(box.x0(), box.x1() + (box.x1() == nx ? 1 : 0), box.y0(), box.y1() + (box.y1() == ny ? 1 : 0), box.z0(),
        box.z1() + (box.z1() == nz ? 1 : 0));
  }

  private GhostLayout number(Box[] boxes, int rank) {
    List<Integer> neighbours = new ArrayList<>();
    List<int[]> sends = new ArrayList<>();
    List<Integer> ghosts = new ArrayList<>();
    int firstRow = 0;
    int firstGhost = (int) nodes.size();
    for (int other = 0; other < boxes.length; other++) {
      Box theirs = nodesOf(boxes[other]);
      Box here = theirs.meet(seen);
      if (other == rank) {
        number(nodes, theirs, 0, firstRow);
      } else if (!here.isEmpty()) {
        number(here, theirs, firstGhost, firstRow);
        firstGhost += (int) here.size();
        neighbours.add(other);
        ghosts.add((int) here.size());
        sends.add(indices(theirs.grown().meet(nodes)));
      }
      firstRow += (int) theirs.size();
    }
    return new GhostLayout((int) nodes.size(), toArray(neighbours), sends.toArray(new int[0][]), toArray(ghosts));
  }

  private void number(Box part, Box owners, int firstLocal, int firstGlobal) {
    int local = firstLocal;
    for (int z = part.z0(); z < part.z1(); z++) {
      for (int y = part.y0(); y < part.y1(); y++) {
        for (int x = part.x0(); x < part.x1(); x++) {
          localRow[seen.index(x, y, z)] = local++;
          globalRow[seen.index(x, y, z)] = firstGlobal + owners.index(x, y, z);
        }
      }
    }
  }

  private int[] indices(Box part) {
    int[] indices = new int[(int) part.size()];
    int next = 0;
    for (int z = part.z0(); z < part.z1(); z++) {
      for (int y = part.y0(); y < part.y1(); y++) {
        for (int x = part.x0(); x < part.x1(); x++) {
          indices[next++] = nodes.index(x, y, z);
        }
      }
    }
    return indices;
  }

  private static int[] toArray(List<Integer> numbers) {
    return numbers.stream().mapToInt(Integer::intValue).toArray();
  }

  /** The local number of a node that is seen. */
  int localRow(int x, int y, int z) {
    return localRow[seen.index(x, y, z)];
  }

  /** The number of a node that is seen among those of all ranks. */
  int globalRow(int x, int y, int z) {
    return globalRow[seen.index(x, y, z)];
  }

  /** Why this mesh cannot be spread over this number of ranks; null if it can. */
  static String objection(int nx, int ny, int nz, int ranks) {
    if ((nx + 1.0) * (ny + 1.0) * (nz + 1.0) > Integer.MAX_VALUE) {
      return "-nx " + nx + " -ny " + ny + " -nz " + nz + ": more than " + Integer.MAX_VALUE + " nodes; use a coarser mesh";
    }
    Box[] boxes = boxes(nx, ny, nz, ranks);
    if (Arrays.stream(boxes).anyMatch(Box::isEmpty)) {
      return "-nx " + nx + " -ny " + ny + " -nz " + nz + ": some of " + ranks
          + " ranks would have no element; use fewer ranks, or "
          + "more elements along z first, then y, then x";
    }
    double entries =
        Arrays.stream(boxes)
            .mapToDouble(box -> (double) CompressedRows.STENCIL * (box.lengthX() + 1) * (box.lengthY() + 1) * (box.lengthZ() + 1))
            .max().orElseThrow();
    if (entries > CompressedRows.MOST_ENTRIES) {
      return "-nx " + nx + " -ny " + ny + " -nz " + nz + ": a rank of " + ranks
          + " would have more matrix entries than an array holds; "
          + "use more ranks";
    }
    return null;
  }
}
