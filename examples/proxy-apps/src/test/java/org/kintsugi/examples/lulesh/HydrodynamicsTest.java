// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.lulesh;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.kintsugi.examples.reference.ReferenceCase;

/** The physics without MPI: all cases of one rank, the origin's energy to twelve digits. */
class HydrodynamicsTest {
  private static final int LARGEST_EDGE = 15;

  static List<ReferenceCase> cases() throws IOException {
    return ReferenceCase.all("lulesh").stream().filter(
        one -> one.ranks() == 1 && one.params().get("elements_per_edge_per_rank").asInt() <= LARGEST_EDGE).toList();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void givesTheFiguresOfTheOriginal(ReferenceCase reference) {
    int edge = reference.params().get("elements_per_edge_per_rank").asInt();
    int cycles = reference.params().get("max_iterations").asInt();
    History history = new History();
    try (Hydrodynamics blast = new Hydrodynamics(new Block(edge, 1, 0), null)) {
      for (int k = 1; k <= cycles && !blast.time.isOver(); k++) {
        blast.cycle();
        history.add(blast.time);
      }
      JsonNode result = new ObjectMapper().valueToTree(Map.of("figures", LuleshFigures.of(blast, history, null)));
      assertThat(reference.differences(result)).isEmpty();
      double expected = reference.figures().get("final_origin_energy").asDouble();
      assertThat(Math.abs(blast.domain.energy[0] / expected - 1)).isLessThan(1e-12);
    }
  }

  @Test
  void oneElementHasNoSecondOne() {
    try (Hydrodynamics blast = new Hydrodynamics(new Block(1, 1, 0), null)) {
      History history = new History();
      for (int k = 1; k <= 5; k++) {
        blast.cycle();
        history.add(blast.time);
      }
      assertThat(LuleshFigures.of(blast, history, null)).doesNotContainKey("energy_of_element_1_of_rank_0")
          .containsKey("x_of_node_1_of_rank_0");
    }
  }
}
