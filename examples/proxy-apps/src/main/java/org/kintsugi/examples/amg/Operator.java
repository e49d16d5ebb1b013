// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.amg;

import org.kintsugi.examples.sparse.CompressedRows;
import org.kintsugi.examples.sparse.Ranks;

/**
 * The 27-point operator on a grid of ranks, each of which owns a block: rows are numbered rank by rank, inside of a rank with x
 * innermost.
 *
 * @param nx points of a rank's block in x
 * @param ny points in y
 * @param nz points in z
 * @param px ranks in x
 * @param py ranks in y
 * @param pz ranks in z
 */
record Operator(int nx, int ny, int nz, int px, int py, int pz) {
  int rowsPerRank() {
    return nx * ny * nz;
  }

  /** The rows of each rank. Collective. */
  Ranges ranges(Ranks ranks) {
    return Ranges.of(rowsPerRank(), ranks);
  }

  /** A rank's rows: this on the diagonal, which stands first, and -1 for each neighbour. */
  Rows rows(int rank, double diagonal) {
    Rows rows = new Rows();
    int x0 = rank % px * nx;
    int y0 = rank / px % py * ny;
    int z0 = rank / (px * py) * nz;
    for (int z = z0; z < z0 + nz; z++) {
      for (int y = y0; y < y0 + ny; y++) {
        for (int x = x0; x < x0 + nx; x++) {
          rows.add(number(x, y, z), diagonal);
          for (int place = 0; place < CompressedRows.STENCIL; place++) {
            int otherX = x + place % 3 - 1;
            int otherY = y + place / 3 % 3 - 1;
            int otherZ = z + place / 9 - 1;
            if (place != 13 && has(otherX, otherY, otherZ)) {
              rows.add(number(otherX, otherY, otherZ), -1);
            }
          }
          rows.endRow();
        }
      }
    }
    return rows;
  }

  private boolean has(int x, int y, int z) {
    return x >= 0 && x < nx * px && y >= 0 && y < ny * py && z >= 0 && z < nz * pz;
  }

  private int number(int x, int y, int z) {
    int rank = x / nx + px * (y / ny + py * (z / nz));
    return rank * rowsPerRank() + x % nx + nx * (y % ny + ny * (z % nz));
  }
}
