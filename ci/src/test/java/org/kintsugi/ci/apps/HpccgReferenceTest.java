// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.apps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.kintsugi.ci.ranks.RankJob;
import org.kintsugi.examples.hpccg.Hpccg;

/**
 * HPCCG against the figures of the original application: all cases with up to 8 ranks. On 1 and 2 ranks every digit; beyond,
 * the order of the reduction decides the last digits, so the first ten residuals to 1e-11, and what is physical.
 */
class HpccgReferenceTest {
  /** Runs in the ranks: drops the folder for reports into the application's own option. */
  static final class Main {
    public static void main(String[] args) {
      List<String> arguments = new ArrayList<>(List.of(args).subList(1, args.length));
      arguments.addAll(List.of("--json", args[0] + "/report-json"));
      Hpccg.main(arguments.toArray(new String[0]));
    }
  }

  static Stream<JsonNode> cases() throws IOException {
    try (InputStream file = HpccgReferenceTest.class.getResourceAsStream("/hpccg-reference.json")) {
      List<JsonNode> cases = new ArrayList<>();
      new ObjectMapper().readTree(file).forEach(cases::add);
      return cases.stream();
    }
  }

  private static JsonNode run(RankJob job, String... arguments) throws IOException {
    RankJob.Outcome outcome = job.run(Main.class, arguments).assertSuccess();
    return new ObjectMapper().readTree(outcome.reports().get("json"));
  }

  private static String[] size(JsonNode parameters) {
    return new String[] {
      parameters.get("local_nx").asText(), parameters.get("local_ny").asText(), parameters.get("local_nz").asText()
    };
  }

  @ParameterizedTest
  @MethodSource("cases")
  void givesTheFiguresOfTheOriginal(JsonNode reference) throws IOException {
    int ranks = reference.get("ranks").asInt();
    JsonNode figures = reference.get("figures");
    JsonNode result = run(RankJob.of(ranks, 0), size(reference.get("params")));
    assertThat(result.get("ranks").asInt()).isEqualTo(ranks);
    assertThat(result.get("iterations").asInt()).isEqualTo(figures.get("iterations_reported").asInt());
    JsonNode first = figures.get("residuals_iterations_1_to_10");
    boolean exact = ranks <= 2;
    for (int i = 0; i < first.size(); i++) {
      double expected = first.get(i).asDouble();
      double actual = result.get("residuals").get(i + 1).asDouble();
      assertThat(actual).as("residual of iteration %d", i + 1)
          .isCloseTo(expected, exact ? within(0.0) : within(1e-11 * expected));
    }
    if (exact) {
      figures.get("residuals_at").fields().forEachRemaining(entry ->
          assertThat(result.get("residuals").get(Integer.parseInt(entry.getKey())).asDouble())
              .as("residual of iteration %s", entry.getKey()).isEqualTo(entry.getValue().asDouble()));
    }
    assertThat(result.get("maxError").asDouble()).isLessThan(1e-14);
    assertThat(result.get("sumX").asDouble())
        .isCloseTo(figures.get("sum_of_x").asDouble(), Percentage.withPercentage(1e-9));
  }

  @Test
  void aRunThatLosesAProcessGivesTheSameBits() throws IOException {
    String[] size = {"16", "16", "16"};
    JsonNode undisturbed = run(RankJob.of(4, 1), size);
    JsonNode killed = run(RankJob.of(4, 1).kill("process:2@60"), size);
    assertThat(undisturbed.get("recoveries")).isEmpty();
    assertThat(killed.get("recoveries")).hasSize(1);
    assertThat(killed.get("recoveries").get(0).get("failedRanks").get(0).asInt()).isEqualTo(2);
    for (String figure : List.of("residuals", "maxError", "sumX", "iterations")) {
      assertThat(killed.get(figure)).as(figure).isEqualTo(undisturbed.get(figure));
    }
  }

  @Test
  void twoSparesTakeTwoPlacesOneAfterTheOther() throws IOException {
    String[] size = {"10", "10", "10"};
    JsonNode undisturbed = run(RankJob.of(3, 0), size);
    JsonNode killed = run(RankJob.of(3, 2).kill("process:0@30").kill("process:0@90"), size);
    assertThat(killed.get("recoveries")).hasSize(2);
    assertThat(killed.get("residuals")).isEqualTo(undisturbed.get("residuals"));
  }

  @Test
  void fileCheckpointsServeAsWell(@TempDir Path folder) throws IOException {
    String[] size = {"10", "10", "10"};
    JsonNode undisturbed = run(RankJob.of(2, 0), size);
    JsonNode killed = run(RankJob.of(2, 1).kill("process:1@45")
        .jvm("-Dkintsugi.checkpoint.store=file", "-Dkintsugi.checkpoint.dir=" + folder), size);
    assertThat(killed.get("residuals")).isEqualTo(undisturbed.get("residuals"));
    assertThat(folder).isDirectoryContaining("glob:**rank-00001.*.ckpt");
  }
}
