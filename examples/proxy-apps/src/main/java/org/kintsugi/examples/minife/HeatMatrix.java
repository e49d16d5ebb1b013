// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.minife;

import org.kintsugi.examples.sparse.CompressedRows;

/**
 * One rank's rows of the heat problem, and the right-hand side. They are compressed rows with local
 * columns, after the boundary conditions. Entries of a row have the order of the global row
 * numbers, which is the order of summation. Entries that the boundary conditions have cleared stay
 * stored.
 */
final class HeatMatrix {
  private static final int STENCIL = CompressedRows.STENCIL;
  private static final int CENTRE = 13;

  private final Mesh mesh;
  private final int rows;
  private final int[] rowStart;
  private final int[] columns;
  private final double[] values;
  private final double[] rightHandSide;

  HeatMatrix(Mesh mesh) {
    this.mesh = mesh;
    rows = mesh.layout.owned();
    rowStart = new int[rows + 1];
    rightHandSide = new double[rows];
    countEntries();
    columns = new int[rowStart[rows]];
    values = new double[rowStart[rows]];
    // The place of a neighbour's entry in its row, by the neighbour's place in the stencil.
    byte[] place = new byte[rows * STENCIL];
    orderEntries(place);
    assemble(place);
    // Zero on five sides first: nodes that belong to the sixth as well act on their neighbours as those of the five.
    fix((x, y, z) -> x == 0 || y == 0 || y == mesh.ny || z == 0 || z == mesh.nz, 0.0, place);
    fix((x, y, z) -> x == mesh.nx, 1.0, place);
  }

  @FunctionalInterface
  private interface NodeSet {
    boolean has(int x, int y, int z);
  }

  @FunctionalInterface
  private interface NodeAction {
    void at(int row, int x, int y, int z);
  }

  private void forOwnedNodes(NodeAction action) {
    Box nodes = mesh.nodes;
    int row = 0;
    for (int z = nodes.z0(); z < nodes.z1(); z++) {
      for (int y = nodes.y0(); y < nodes.y1(); y++) {
        for (int x = nodes.x0(); x < nodes.x1(); x++) {
          action.at(row++, x, y, z);
        }
      }
    }
  }

  private static int onAxis(int at, int last) {
    return 1 + (at > 0 ? 1 : 0) + (at < last ? 1 : 0);
  }

  private void countEntries() {
    forOwnedNodes((row, x, y, z) -> rowStart[row + 1] =
        rowStart[row] + onAxis(x, mesh.nx) * onAxis(y, mesh.ny) * onAxis(z, mesh.nz));
  }

  private void orderEntries(byte[] place) {
    int[] slots = new int[STENCIL];
    int[] numbers = new int[STENCIL];
    forOwnedNodes((row, x, y, z) -> {
      int count = 0;
      for (int slot = 0; slot < STENCIL; slot++) {
        int nx = x + slot % 3 - 1;
        int ny = y + slot / 3 % 3 - 1;
        int nz = z + slot / 9 - 1;
        if (nx < 0 || nx > mesh.nx || ny < 0 || ny > mesh.ny || nz < 0 || nz > mesh.nz) {
          continue;
        }
        int number = mesh.globalRow(nx, ny, nz);
        int at = count++;
        for (; at > 0 && numbers[at - 1] > number; at--) {
          numbers[at] = numbers[at - 1];
          slots[at] = slots[at - 1];
        }
        numbers[at] = number;
        slots[at] = slot;
      }
      for (int i = 0; i < count; i++) {
        int slot = slots[i];
        place[row * STENCIL + slot] = (byte) i;
        columns[rowStart[row] + i] = mesh.localRow(x + slot % 3 - 1, y + slot / 3 % 3 - 1, z + slot / 9 - 1);
      }
    });
  }

  /** Adds the elements that have a node of this rank: its own ones, and one layer below. */
  private void assemble(byte[] place) {
    Box nodes = mesh.nodes;
    Box elements = new Box(nodes.x0() - 1, nodes.x1(), nodes.y0() - 1, nodes.y1(), nodes.z0() - 1, nodes.z1())
        .meet(new Box(0, mesh.nx, 0, mesh.ny, 0, mesh.nz));
    Brick brick = new Brick();
    double[] x = new double[Brick.CORNERS];
    double[] y = new double[Brick.CORNERS];
    double[] z = new double[Brick.CORNERS];
    for (int ez = elements.z0(); ez < elements.z1(); ez++) {
      for (int ey = elements.y0(); ey < elements.y1(); ey++) {
        for (int ex = elements.x0(); ex < elements.x1(); ex++) {
          for (int corner = 0; corner < Brick.CORNERS; corner++) {
            x[corner] = corner(ex, Brick.CORNER_X[corner], mesh.nx);
            y[corner] = corner(ey, Brick.CORNER_Y[corner], mesh.ny);
            z[corner] = corner(ez, Brick.CORNER_Z[corner], mesh.nz);
          }
          brick.integrate(x, y, z);
          add(brick, ex, ey, ez, place);
        }
      }
    }
  }

  /**
   * The coordinate of a corner. The upper one is the lower one plus an element's length, which by
   * rounding may differ from (element + 1) / elements: only so the matrix has the original's
   * digits.
   */
  private static double corner(int element, int isUpper, int elements) {
    double lower = (double) element / elements;
    return isUpper == 0 ? lower : lower + 1.0 / elements;
  }

  private void add(Brick brick, int ex, int ey, int ez, byte[] place) {
    Box nodes = mesh.nodes;
    for (int m = 0; m < Brick.CORNERS; m++) {
      int x = ex + Brick.CORNER_X[m];
      int y = ey + Brick.CORNER_Y[m];
      int z = ez + Brick.CORNER_Z[m];
      if (x < nodes.x0() || x >= nodes.x1() || y < nodes.y0() || y >= nodes.y1() || z < nodes.z0() || z >= nodes.z1()) {
        continue;
      }
      int row = nodes.index(x, y, z);
      for (int n = 0; n < Brick.CORNERS; n++) {
        int slot = CENTRE + Brick.CORNER_X[n] - Brick.CORNER_X[m] + 3 * (Brick.CORNER_Y[n] - Brick.CORNER_Y[m])
            + 9 * (Brick.CORNER_Z[n] - Brick.CORNER_Z[m]);
        values[rowStart[row] + place[row * STENCIL + slot]] += brick.matrix[m * Brick.CORNERS + n];
      }
      rightHandSide[row] += brick.vector[m];
    }
  }

  /** Gives the nodes of a set a fixed value: their rows become rows of the identity, what they do to others goes to the right. */
  private void fix(NodeSet set, double value, byte[] place) {
    forOwnedNodes((row, x, y, z) -> {
      int start = rowStart[row];
      if (set.has(x, y, z)) {
        rightHandSide[row] = value;
        for (int k = start; k < rowStart[row + 1]; k++) {
          values[k] = 0.0;
        }
        values[start + place[row * STENCIL + CENTRE]] = 1.0;
        return;
      }
      double sum = 0.0;
      for (int slot = 0; slot < STENCIL; slot++) {
        int nx = x + slot % 3 - 1;
        int ny = y + slot / 3 % 3 - 1;
        int nz = z + slot / 9 - 1;
        boolean inside = nx >= 0 && nx <= mesh.nx && ny >= 0 && ny <= mesh.ny && nz >= 0 && nz <= mesh.nz;
        if (inside && set.has(nx, ny, nz)) {
          int k = start + place[row * STENCIL + slot];
          sum += values[k];
          values[k] = 0.0;
        }
      }
      rightHandSide[row] -= sum * value;
    });
  }

  /** y = A x; x with its ghosts. Each row is summed from left to right. */
  void multiply(double[] x, double[] y) {
    CompressedRows.multiply(rowStart, columns, values, x, y);
  }

  int rows() {
    return rows;
  }

  /** Entries that are stored, those that are zero included. */
  int nonzeros() {
    return values.length;
  }

  double[] rightHandSide() {
    return rightHandSide;
  }
}
