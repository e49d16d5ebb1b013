// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.hpccg;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The judge is judged: what is wrong must be found. */
class HpccgReferenceCasesTest {
  private static HpccgReferenceCases.Case fourRanks() throws IOException {
    return HpccgReferenceCases.all().stream().filter(one -> one.toString().equals("16 x 16 x 16 on 4 ranks")).findFirst()
        .orElseThrow();
  }

  private static ObjectNode rightResult(HpccgReferenceCases.Case reference) {
    double[] residuals = new double[150];
    residuals[0] = reference.figures().get("initial_residual").asDouble();
    for (int k = 1; k <= 10; k++) {
      residuals[k] = reference.figures().get("residuals_iterations_1_to_10").get(k - 1).asDouble();
    }
    reference.figures().get("residuals_at").fields()
        .forEachRemaining(entry -> residuals[Integer.parseInt(entry.getKey())] = entry.getValue().asDouble());
    return new ObjectMapper().valueToTree(Map.of("ranks", 4, "iterations", 149, "residuals", residuals, "maxError",
        reference.figures().get("max_abs_error_vs_exact").asDouble(), "sumX",
        reference.figures().get("sum_of_x").asDouble()));
  }

  @Test
  void knowsAllCasesUpToEightRanks() throws IOException {
    assertThat(HpccgReferenceCases.all()).hasSize(15).allMatch(one -> one.ranks() <= 8);
  }

  @Test
  void acceptsWhatIsRight() throws IOException {
    assertThat(fourRanks().differences(rightResult(fourRanks()), true)).isEmpty();
  }

  @Test
  void findsWhatIsWrong() throws IOException {
    ObjectNode result = rightResult(fourRanks());
    result.put("iterations", 148).put("maxError", Double.NaN).put("sumX", 16385.0);
    result.withArray("residuals").remove(149);
    assertThat(fourRanks().differences(result, false)).hasSize(4);
  }

  @Test
  void lastDigitsCountWhereTheyMust() throws IOException {
    ObjectNode result = rightResult(fourRanks());
    result.put("sumX", Math.nextUp(result.get("sumX").asDouble()));
    assertThat(fourRanks().differences(result, false)).isEmpty();
    assertThat(fourRanks().differences(result, true)).hasSize(1);
  }
}
