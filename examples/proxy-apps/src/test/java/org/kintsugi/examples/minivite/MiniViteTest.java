// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.minivite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.kintsugi.examples.reference.ReferenceCase;
import org.kintsugi.examples.sparse.OneRank;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** The graph and the method without MPI. */
class MiniViteTest {
  static List<ReferenceCase> cases() throws IOException {
    return ReferenceCase.all("minivite");
  }

  static List<ReferenceCase> onOneRank() throws IOException {
    return cases().stream().filter(one -> one.ranks() == 1).toList();
  }

  private static int vertices(ReferenceCase reference) {
    return reference.params().get("vertices").asInt();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void pointsAreThoseOfTheOriginal(ReferenceCase reference) {
    for (JsonNode expected : reference.figures().get("points")) {
      Points points = new Points(vertices(reference) / reference.ranks(), expected.get("rank").asInt(), reference.ranks());
      int last = points.x.length - 1;
      assertThat(points.first).isEqualTo(expected.get("first_lcg_integer").asLong());
      assertThat(points.x[last]).isEqualTo(expected.get("last_point").get(0).asDouble());
      assertThat(points.y[last]).isEqualTo(expected.get("last_point").get(1).asDouble());
    }
  }

  @ParameterizedTest
  @MethodSource("onOneRank")
  void graphAndMovesAreThoseOfTheOriginal(ReferenceCase reference) {
    OneRank alone = new OneRank();
    int percent = reference.params().get("random_edge_percent").asInt();
    Generated generated = new GraphGenerator(vertices(reference), percent, true, alone).generate();
    JsonNode figures = reference.figures();
    assertThat(generated.geometricEdges()).isEqualTo(figures.get("directed_edges_before_random").asInt());
    assertThat(generated.graph().edges()).isEqualTo(figures.get("directed_edges_total").asInt());
    Louvain louvain = new Louvain(generated.graph(), alone, 1e-6);
    louvain.begin();
    while (!louvain.isDone()) {
      louvain.iterate();
    }
    History history = louvain.history();
    assertThat(history.iterations()).isEqualTo(figures.get("iterations").asInt());
    assertThat(louvain.modularity()).isEqualTo(figures.get("modularity").asDouble());
    for (JsonNode expected : figures.get("per_iteration")) {
      int i = expected.get("iteration").asInt();
      assertThat(history.modularity(i)).isEqualTo(expected.get("modularity").asDouble());
      assertThat(history.moved(i)).isEqualTo(expected.get("vertices_moved").asDouble());
      assertThat(history.sumOfTargets(i)).isEqualTo(expected.get("sum_of_target_ids").asDouble());
      assertThat(history.communities(i)).isEqualTo(expected.get("nonempty_communities_after").asDouble());
    }
  }

  /** The search by cells finds what a look at all pairs finds. */
  @Test
  void findsAllNearPairs() {
    int count = 300;
    Graph graph = new GraphGenerator(count, 0, true, new OneRank()).generate().graph();
    Points points = new Points(count, 0, 1);
    double radius = GraphGenerator.radius(count);
    for (int i = 0; i < count; i++) {
      int edge = graph.starts[i];
      for (int j = 0; j < count; j++) {
        double dx = points.x[i] - points.x[j];
        double dy = points.y[i] - points.y[j];
        if (i != j && Math.sqrt(dx * dx + dy * dy) <= radius) {
          assertThat(graph.neighbours[edge++]).isEqualTo(j);
        }
      }
      assertThat(edge).isEqualTo(graph.starts[i + 1]);
    }
  }

  @Test
  void communitiesAreNumberedAsTheyAreMet() {
    CommunityTable table = new CommunityTable();
    for (int round = 0; round < 2; round++) {
      table.clear();
      for (int i = 0; i < 1000; i++) {
        assertThat(table.numberOf(7_000_000_000L - 64L * i)).isEqualTo(i);
        assertThat(table.numberOf(7_000_000_000L - 64L * (i / 2))).isEqualTo(i / 2);
      }
      assertThat(table.size()).isEqualTo(1000);
      assertThat(table.community(999)).isEqualTo(7_000_000_000L - 64L * 999);
    }
  }

  /** The ten-thousandth number of the generator is known: 1043618065. */
  @Test
  void theGeneratorIsTheMinimalStandard() {
    MinimalStandard random = new MinimalStandard(0);
    long last = 0;
    for (int i = 0; i < 10_000; i++) {
      last = random.below(MinimalStandard.MODULUS - 2);
    }
    assertThat(last).isEqualTo(1_043_618_065 - 1);
  }

  @Test
  void theGeneratorRefusesMoreNumbersThanItHas() {
    MinimalStandard random = new MinimalStandard(1);
    assertThat(random.below(MinimalStandard.RANGE)).isBetween(0L, MinimalStandard.RANGE - 1);
    assertThatThrownBy(() -> random.below(MinimalStandard.RANGE + 1)).hasMessageContaining("2147483646");
    assertThatThrownBy(() -> random.below(0)).hasMessageContaining("0");
  }

  private static void check(int ranks, String... args) {
    MiniVite program = new MiniVite();
    new CommandLine(program).parseArgs(args);
    program.check(ranks);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "0.0", "-0.0", "-1e-6", "NaN", "Infinity"})
  void refusesThresholdsWithWhichItMayNotEndOrDoesNothing(String threshold) {
    assertThatThrownBy(() -> check(1, "-l", "-n", "144", "-t", threshold)).isInstanceOf(ParameterException.class)
        .hasMessageContaining("-t").hasMessageContaining("above 0");
    assertThatCode(() -> check(1, "-l", "-n", "144", "-t", "1e-300")).doesNotThrowAnyException();
  }

  /** What a refusal says would do is not refused. */
  @ParameterizedTest
  @CsvSource({"0, 4", "-5, 1", "4, 4", "3, 2", "17, 16", "1000, 256", "9223372036854775807, 4", "268435457, 4", "0, 1024"})
  void namesVerticesThatWouldDo(String vertices, int ranks) {
    assertThatThrownBy(() -> check(ranks, "-l", "-n", vertices)).isInstanceOf(ParameterException.class).satisfies(refused -> {
      Matcher instead = Pattern.compile("-n (\\d+) would do").matcher(refused.getMessage());
      assertThat(instead.find()).isTrue();
      assertThatCode(() -> check(ranks, "-l", "-n", instead.group(1))).doesNotThrowAnyException();
    });
  }

  @Test
  void refusesMoreRandomEdgesThanFit() {
    assertThatThrownBy(() -> check(1, "-l", "-n", "144", "-p", "1263225676")).isInstanceOf(ParameterException.class)
        .hasMessageContaining("-p 1263225676").hasMessageContaining("at most -p " + MiniVite.mostPercent(144, 1));
    assertThatCode(() -> check(1, "-l", "-n", "144", "-p", String.valueOf(MiniVite.mostPercent(144, 1))))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> new GraphGenerator(144, 1263225676, true, new OneRank()).generate())
        .hasMessageContaining("4294967298");
    assertThatThrownBy(() -> check(64, "-l", "-n", "4294967296", "-p", "1")).hasMessageContaining("2147483645 vertices");
  }

  @ParameterizedTest
  @MethodSource("cases")
  void fewerPairsAreNearThanIsReckonedWith(ReferenceCase reference) {
    assertThat(reference.figures().get("directed_edges_before_random").asInt() / 2.0)
        .isLessThan(GraphGenerator.mostNearPairs(vertices(reference)));
  }
}
