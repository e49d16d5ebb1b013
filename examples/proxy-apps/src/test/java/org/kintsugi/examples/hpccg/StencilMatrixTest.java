// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.hpccg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.kintsugi.examples.reference.ReferenceCase;

class StencilMatrixTest {
  static List<ReferenceCase> cases() throws IOException {
    return ReferenceCase.all("hpccg");
  }

  private static int size(ReferenceCase reference, String axis) {
    return reference.params().get("local_n" + axis).asInt();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void hasAsManyEntriesAsTheOriginal(ReferenceCase reference) {
    long entries = 0;
    for (int rank = 0; rank < reference.ranks(); rank++) {
      entries +=
          new StencilMatrix(size(reference, "x"), size(reference, "y"), size(reference, "z"), rank, reference.ranks()).nonzeros();
    }
    assertThat(entries).isEqualTo(reference.figures().get("nonzeros_actual").asLong());
  }

  /** The specification's own words, on global numbers: sz, sy, sx from the outside in; kept if inside. */
  @ParameterizedTest
  @CsvSource({"4,3,5,1", "4,5,3,3", "3,4,2,3", "2,2,1,4", "1,1,1,1", "1,5,1,2", "5,1,3,2"})
  void hasThePatternOfTheSpecification(int nx, int ny, int nz, int ranks) {
    int n = nx * ny * nz;
    for (int rank = 0; rank < ranks; rank++) {
      StencilMatrix matrix = new StencilMatrix(nx, ny, nz, rank, ranks);
      assertThat(matrix.rows()).isEqualTo(n);
      int entry = 0;
      for (int row = 0; row < n; row++) {
        assertThat(matrix.rowStart(row)).isEqualTo(entry);
        int first = entry;
        int ix = row % nx;
        int iy = row / nx % ny;
        for (int sz = -1; sz <= 1; sz++) {
          for (int sy = -1; sy <= 1; sy++) {
            for (int sx = -1; sx <= 1; sx++) {
              int column = rank * n + row + sz * nx * ny + sy * nx + sx;
              if (ix + sx >= 0 && ix + sx < nx && iy + sy >= 0 && iy + sy < ny && column >= 0 && column < ranks * n) {
                assertThat(globalColumn(matrix, matrix.column(entry), rank, n)).isEqualTo(column);
                assertThat(matrix.value(entry)).isEqualTo(column == rank * n + row ? 27.0 : -1.0);
                entry++;
              }
            }
          }
        }
        assertThat(matrix.rightHandSide()[row]).isEqualTo(27.0 - (entry - first - 1));
      }
      assertThat(matrix.rowStart(n)).isEqualTo(entry);
      assertThat(matrix.nonzeros()).isEqualTo(entry);
    }
  }

  /** Ghosts: the plane below, if there is one, then the plane above. */
  private static int globalColumn(StencilMatrix matrix, int local, int rank, int n) {
    if (local < n) {
      return rank * n + local;
    }
    int ghost = local - n;
    int plane = matrix.layout().ghosts()[0];
    boolean below = rank > 0 && ghost < plane;
    if (below) {
      return rank * n - plane + ghost;
    }
    return (rank + 1) * n + ghost - (rank > 0 ? plane : 0);
  }

  @ParameterizedTest
  @CsvSource({"4,3,5,0,1", "4,3,5,1,3", "7,1,3,0,2", "1,1,1,0,1", "1,1,3,1,2"})
  void sumsEachRowFromLeftToRight(int nx, int ny, int nz, int rank, int ranks) {
    StencilMatrix matrix = new StencilMatrix(nx, ny, nz, rank, ranks);
    double[] x = new Random(7).doubles(matrix.layout().lengthWithGhosts(), -1e3, 1e3).toArray();
    double[] y = new double[matrix.rows()];
    matrix.multiply(x, y);
    for (int row = 0; row < y.length; row++) {
      double sum = 0.0;
      for (int k = matrix.rowStart(row); k < matrix.rowStart(row + 1); k++) {
        sum += matrix.value(k) * x[matrix.column(k)];
      }
      assertThat(y[row]).isEqualTo(sum);
    }
  }

  @Test
  void saysThatABlockIsTooLarge() {
    assertThatThrownBy(() -> new StencilMatrix(1000, 1000, 1000, 0, 2)).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1000 x 1000 x 1000");
    assertThatThrownBy(() -> new StencilMatrix(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, 0, 2))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
