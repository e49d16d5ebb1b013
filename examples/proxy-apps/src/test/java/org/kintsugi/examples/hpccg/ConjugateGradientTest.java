// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.hpccg;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.kintsugi.examples.reference.ReferenceCase;
import org.kintsugi.examples.sparse.OneRank;
import org.kintsugi.examples.sparse.Ranks;
import org.kintsugi.examples.sparse.ThreadRanks;

/** The numerics without MPI: with the reduction of the original, every digit of every case. */
class ConjugateGradientTest {
  private static final int MAX_ITERATIONS = 150;

  static List<ReferenceCase> cases() throws IOException {
    return ReferenceCase.all("hpccg");
  }

  @ParameterizedTest
  @MethodSource("cases")
  void givesEveryDigitOfTheOriginal(ReferenceCase reference) throws Exception {
    JsonNode size = reference.params();
    int nx = size.get("local_nx").asInt();
    int ny = size.get("local_ny").asInt();
    int nz = size.get("local_nz").asInt();
    List<JsonNode> results =
        ThreadRanks.run(reference.ranks(), ranks -> solve(new StencilMatrix(nx, ny, nz, ranks.rank(), ranks.size()), ranks));
    // Rank 0 has the mesh's first row.
    assertThat(reference.differences(results.get(0), true)).isEmpty();
  }

  /** Where the residual becomes exactly 0 before the last pass, which is so on few rows. */
  @ParameterizedTest
  @CsvSource({"1,1,1", "2,2,2", "3,3,3", "4,4,4", "3,2,1"})
  void anExactSolutionStaysANumber(int nx, int ny, int nz) {
    ConjugateGradient solver = new ConjugateGradient(new StencilMatrix(nx, ny, nz, 0, 1), new OneRank(), MAX_ITERATIONS);
    solver.begin();
    for (int k = 1; k < MAX_ITERATIONS; k++) {
      solver.pass(k);
    }
    assertThat(solver.maxError()).isLessThan(1e-12);
    assertThat(solver.residual()).isZero();
  }

  private static JsonNode solve(StencilMatrix matrix, Ranks ranks) {
    ConjugateGradient solver = new ConjugateGradient(matrix, ranks, MAX_ITERATIONS);
    solver.begin();
    int k = 1;
    for (; k < MAX_ITERATIONS && solver.residual() > 0.0; k++) {
      solver.pass(k);
    }
    return new ObjectMapper().valueToTree(Map.of("figures",
        HpccgFigures.of(matrix, ranks, solver, k - 1, solver.maxError(), solver.sumX())));
  }
}
