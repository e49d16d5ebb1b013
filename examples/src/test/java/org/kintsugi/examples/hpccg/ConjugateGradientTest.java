// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.hpccg;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The numerics without MPI: with the reduction of the original, every digit of every case. */
class ConjugateGradientTest {
  private static final int MAX_ITERATIONS = 150;

  static List<HpccgReferenceCases.Case> cases() throws IOException {
    return HpccgReferenceCases.all();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void givesEveryDigitOfTheOriginal(HpccgReferenceCases.Case reference) throws Exception {
    int plane = reference.nx() * reference.ny();
    List<JsonNode> results = ThreadRanks.run(reference.ranks(), plane * reference.nz(), plane,
        ranks -> solve(reference, (ThreadRanks.OneRank) ranks));
    for (JsonNode result : results) {
      assertThat(reference.differences(result, true)).isEmpty();
    }
  }

  private static JsonNode solve(HpccgReferenceCases.Case size, ThreadRanks.OneRank ranks) {
    StencilMatrix matrix = new StencilMatrix(size.nx(), size.ny(), size.nz(), ranks.rank, size.ranks());
    ConjugateGradient solver = new ConjugateGradient(matrix, ranks, MAX_ITERATIONS);
    solver.begin();
    int k = 1;
    for (; k < MAX_ITERATIONS && solver.residual() > 0.0; k++) {
      solver.pass(k);
    }
    return new ObjectMapper().valueToTree(Map.of("ranks", size.ranks(), "iterations", k - 1,
        "residuals", solver.residuals(k - 1), "maxError", solver.maxError(), "sumX", solver.sumX()));
  }
}
