// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The judge is judged: what is wrong must be found. */
class ReferenceCaseTest {
  private static ReferenceCase onRanks(String app, int ranks) throws IOException {
    return ReferenceCase.all(app).stream().filter(one -> one.ranks() == ranks).findFirst().orElseThrow();
  }

  private static ObjectNode rightResult(ReferenceCase reference) {
    ObjectNode result = new ObjectMapper().createObjectNode().put("app", reference.app()).put("ranks", reference.ranks());
    result.set("params", reference.params());
    result.set("figures", reference.figures().deepCopy());
    return result;
  }

  private static ObjectNode figuresOf(ObjectNode result) {
    return (ObjectNode) result.get("figures");
  }

  @ParameterizedTest
  @ValueSource(strings = {"hpccg", "lulesh", "comd", "minife", "minivite", "amg"})
  void acceptsWhatIsRightAndKnowsItsCase(String app) throws IOException {
    for (ReferenceCase reference : ReferenceCase.all(app)) {
      ObjectNode result = rightResult(reference);
      assertThat(reference.differences(result)).isEmpty();
      assertThat(ReferenceCase.of(app, result).figures()).isEqualTo(reference.figures());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"hpccg", "lulesh", "comd", "minife", "minivite", "amg"})
  void missesEveryFigureThatIsNotThere(String app) throws IOException {
    ReferenceCase reference = onRanks(app, 8);
    reference.figures().fieldNames().forEachRemaining(name -> {
      ObjectNode result = rightResult(reference);
      figuresOf(result).remove(name);
      boolean mustBeThere =
          !name.startsWith("wall_") && !name.contains("allreduce_order") && !name.startsWith("cross_partition");
      assertThat(reference.differences(result)).as(name).hasSize(mustBeThere ? 1 : 0);
    });
  }

  @Test
  void findsWhatIsWrong() throws IOException {
    ReferenceCase reference = onRanks("hpccg", 4);
    ObjectNode result = rightResult(reference);
    ObjectNode figures = figuresOf(result);
    figures.put("iterations_reported", 148).put("max_abs_error_vs_exact", Double.NaN).put("sum_of_x", 16385.0);
    figures.withArray("residuals_iterations_1_to_10").remove(9);
    assertThat(reference.differences(result)).hasSize(4);
  }

  @ParameterizedTest
  @ValueSource(strings = {"hpccg", "minife"})
  void everyDigitCountsOnOneAndTwoRanks(String app) throws IOException {
    for (int ranks : new int[] {1, 2, 4}) {
      ReferenceCase reference = onRanks(app, ranks);
      ObjectNode result = rightResult(reference);
      JsonNode third = reference.figures().get("residuals_iterations_1_to_10").get(2);
      figuresOf(result).withArray("residuals_iterations_1_to_10").set(2, DoubleNode.valueOf(Math.nextUp(third.asDouble())));
      assertThat(reference.differences(result)).as("%s", reference).hasSize(ranks <= 2 ? 1 : 0);
    }
  }

  @Test
  void lastDigitsCountWhereTheyMust() throws IOException {
    ReferenceCase reference = onRanks("hpccg", 4);
    ObjectNode result = rightResult(reference);
    figuresOf(result).put("sum_of_x", Math.nextUp(reference.figures().get("sum_of_x").asDouble()));
    assertThat(reference.differences(result, false)).isEmpty();
    assertThat(reference.differences(result, true)).hasSize(1);
  }

  @Test
  void aWrongEnergyIsFoundAndAWrappedCountToo() throws IOException {
    ReferenceCase lulesh = onRanks("lulesh", 8);
    ObjectNode blast = rightResult(lulesh);
    figuresOf(blast).put("final_origin_energy", lulesh.figures().get("final_origin_energy").asDouble() * (1 + 1e-7));
    assertThat(lulesh.differences(blast)).hasSize(1);
    ReferenceCase comd = onRanks("comd", 8);
    ObjectNode crystal = rightResult(comd);
    figuresOf(crystal).put("atoms_final", comd.figures().get("atoms_final").asInt() - 1);
    assertThat(comd.differences(crystal)).hasSize(1);
  }

  /** Of problem 1 it counts in all its digits, of problem 2 it is rounding. */
  @Test
  void whatAnOriginalHasPrintedCountsAsANumber() throws IOException {
    ReferenceCase first = ReferenceCase.all("amg").get(0);
    ObjectNode result = rightResult(first);
    figuresOf(result).put("final_relative_residual_printed", "5.754455e-09");
    assertThat(first.differences(result)).isEmpty();
    figuresOf(result).put("final_relative_residual_printed", "5.754552e-09");
    assertThat(first.differences(result)).hasSize(1);
    figuresOf(result).put("final_relative_residual_printed", "none");
    assertThat(first.differences(result)).hasSize(1);
    ReferenceCase second = onRanks("amg", 2);
    ObjectNode rounded = rightResult(second);
    figuresOf(rounded).put("final_relative_residual_printed", "1.000000e-16");
    assertThat(second.differences(rounded)).isEmpty();
    figuresOf(rounded).put("final_relative_residual_printed", "1.000000e-03");
    assertThat(second.differences(rounded)).hasSize(1);
  }

  @Test
  void saysForWhatThereAreNoFigures() throws IOException {
    ObjectNode result = rightResult(onRanks("lulesh", 8)).put("ranks", 27);
    assertThatThrownBy(() -> ReferenceCase.of("lulesh", result)).hasMessageContaining("27 ranks");
    assertThatThrownBy(() -> ReferenceCase.of("comd", result)).hasMessageContaining("not of comd");
    assertThatThrownBy(() -> ReferenceCase.all("nothing")).hasMessageContaining("nothing");
  }
}
