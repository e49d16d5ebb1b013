// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.minife;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.kintsugi.examples.reference.ReferenceCase;
import org.kintsugi.examples.sparse.Ghosts;
import org.kintsugi.examples.sparse.Sums;

/** The mesh and the numerics without MPI. */
class MiniFeTest {
  static List<ReferenceCase> small() throws IOException {
    return ReferenceCase.all("minife").stream().filter(one -> one.figures().get("rows").asLong() < 40_000).toList();
  }

  static List<ReferenceCase> onOneRank() throws IOException {
    return small().stream().filter(one -> one.ranks() == 1).toList();
  }

  private static Mesh mesh(ReferenceCase reference, int rank) {
    JsonNode size = reference.params();
    return new Mesh(size.get("nx").asInt(), size.get("ny").asInt(), size.get("nz").asInt(), rank, reference.ranks());
  }

  @ParameterizedTest
  @MethodSource("small")
  void splitsTheMeshAsTheOriginalDoes(ReferenceCase reference) {
    for (JsonNode expected : reference.figures().get("per_rank")) {
      Mesh mesh = mesh(reference, expected.get("rank").asInt());
      HeatMatrix matrix = new HeatMatrix(mesh);
      assertThat(mesh.elements).isEqualTo(new Box(expected.get("box_x0").asInt(), expected.get("box_x1").asInt(),
          expected.get("box_y0").asInt(), expected.get("box_y1").asInt(), expected.get("box_z0").asInt(),
          expected.get("box_z1").asInt()));
      assertThat(matrix.rows()).isEqualTo(expected.get("rows").asInt());
      assertThat(matrix.nonzeros()).isEqualTo(expected.get("nonzeros").asInt());
      assertThat(mesh.layout.ghostCount()).isEqualTo(expected.get("ghosts").asInt());
    }
  }

  /** A rank sends another one the values that it expects, in the same order. */
  @Test
  void neighboursAgreeOnWhatIsExchanged() {
    int ranks = 7;
    Mesh[] meshes = new Mesh[ranks];
    Arrays.setAll(meshes, rank -> new Mesh(5, 4, 6, rank, ranks));
    double[][] vectors = new double[ranks][];
    for (int rank = 0; rank < ranks; rank++) {
      vectors[rank] = new double[meshes[rank].layout.lengthWithGhosts()];
      Box seen = meshes[rank].seen;
      for (int z = seen.z0(); z < seen.z1(); z++) {
        for (int y = seen.y0(); y < seen.y1(); y++) {
          for (int x = seen.x0(); x < seen.x1(); x++) {
            vectors[rank][meshes[rank].localRow(x, y, z)] = 1 + x + 10 * y + 100 * z;
          }
        }
      }
    }
    for (int rank = 0; rank < ranks; rank++) {
      var layout = meshes[rank].layout;
      int ghost = layout.owned();
      for (int i = 0; i < layout.neighbours().length; i++) {
        int other = layout.neighbours()[i];
        var theirs = meshes[other].layout;
        int[] sent = theirs.sends()[Arrays.binarySearch(theirs.neighbours(), rank)];
        assertThat(sent).hasSize(layout.ghosts()[i]);
        for (int index : sent) {
          assertThat(vectors[rank][ghost++]).isEqualTo(vectors[other][index]).isPositive();
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("onOneRank")
  void convergesAsTheOriginalDoes(ReferenceCase reference) {
    Mesh mesh = mesh(reference, 0);
    ConjugateGradient solver =
        new ConjugateGradient(new HeatMatrix(mesh), mesh.layout.lengthWithGhosts(), Ghosts.NONE, Sums.ALONE);
    solver.begin();
    int k = 1;
    for (; k <= ConjugateGradient.MOST_ITERATIONS && solver.residual() > ConjugateGradient.TOLERANCE; k++) {
      solver.iterate(k);
    }
    JsonNode figures = reference.figures();
    assertThat(k - 1).isEqualTo(figures.get("cg_iterations").asInt());
    JsonNode residuals = figures.get("residuals_iterations_1_to_10");
    for (int i = 0; i < residuals.size(); i++) {
      assertThat(solver.residuals(k - 1)[i + 1]).as("residual %d, to the last digit", i + 1)
          .isEqualTo(residuals.get(i).asDouble());
    }
    double sum = Arrays.stream(solver.solution()).sum();
    assertThat(sum).isCloseTo(figures.get("sum_of_solution").asDouble(), within(1e-12 * sum));
  }

  /** The integrals of a brick: rows of the matrix sum to zero, the source to its volume. */
  @Test
  void integratesABrick() {
    Brick brick = new Brick();
    double[] x = new double[Brick.CORNERS];
    double[] y = new double[Brick.CORNERS];
    double[] z = new double[Brick.CORNERS];
    for (int corner = 0; corner < Brick.CORNERS; corner++) {
      x[corner] = 2 + 0.5 * Brick.CORNER_X[corner];
      y[corner] = 0.25 * Brick.CORNER_Y[corner];
      z[corner] = 1 + Brick.CORNER_Z[corner];
    }
    brick.integrate(x, y, z);
    assertThat(Arrays.stream(brick.vector).sum()).isCloseTo(0.125, within(1e-9));
    for (int row = 0; row < Brick.CORNERS; row++) {
      assertThat(Arrays.stream(brick.matrix, row * Brick.CORNERS, (row + 1) * Brick.CORNERS).sum()).isCloseTo(0, within(1e-15));
      assertThat(brick.matrix[row * Brick.CORNERS + row]).isPositive();
    }
  }

  @Test
  void refusesMoreRanksThanElements() {
    assertThat(Mesh.objection(1, 1, 1, 4)).contains("-nx 1").contains("fewer ranks");
    assertThat(Mesh.objection(2000, 2000, 2000, 4)).contains("coarser");
    assertThat(Mesh.objection(1000, 1000, 1000, 4)).contains("more ranks");
    assertThat(Mesh.objection(16, 12, 10, 4)).isNull();
  }

  /** All nodes of these are on the surface, but for some of the last: the solution is exact after an iteration. */
  @ParameterizedTest
  @ValueSource(strings = {"1 1 1", "1 1 7", "1 5 2", "2 2 2"})
  void endsWhereTheSolutionIsExact(String size) {
    int[] n = Arrays.stream(size.split(" ")).mapToInt(Integer::parseInt).toArray();
    Mesh mesh = new Mesh(n[0], n[1], n[2], 0, 1);
    ConjugateGradient solver =
        new ConjugateGradient(new HeatMatrix(mesh), mesh.layout.lengthWithGhosts(), Ghosts.NONE, Sums.ALONE);
    solver.begin();
    for (int k = 1; k <= ConjugateGradient.MOST_ITERATIONS && solver.residual() > ConjugateGradient.TOLERANCE; k++) {
      solver.iterate(k);
    }
    assertThat(solver.residual()).isBetween(0.0, ConjugateGradient.TOLERANCE);
    assertThat(solver.solution()).doesNotContain(Double.NaN);
  }

  @Test
  void saysWhatItHasChecked() {
    assertThat(MiniFeWork.verdict(0, 0)).contains("nothing could be checked").doesNotContain("passes");
    assertThat(MiniFeWork.verdict(1, 0.01)).contains("passes").contains("0.010");
    assertThat(MiniFeWork.verdict(1, 0.1)).contains("fails");
  }
}
