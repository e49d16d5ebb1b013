// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.apps;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.kintsugi.examples.hpccg.Hpccg;
import org.kintsugi.examples.reference.ReferenceCase;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.RankJob;

/**
 * HPCCG against the figures of the original application, every digit: short cases, or with {@code -Dkintsugi.test.reference=all}
 * ({@code make reference}) all with up to 8 ranks. Beyond two ranks the order of the reduction decides the last digits, so it is
 * set to the one that the original's figures were made with.
 */
@Tag("flavours")
@Tag("once")
class HpccgReferenceTest {
  private static final boolean ALL = "all".equals(System.getProperty("kintsugi.test.reference"));
  private static final Set<String> SHORT = Set.of("hpccg 20 20 20 on 1 ranks", "hpccg 16 16 16 on 2 ranks",
      "hpccg 16 16 16 on 3 ranks", "hpccg 10 20 30 on 4 ranks");

  private static final String[] SMALL = {"10", "10", "10"};
  private static JsonNode smallUndisturbed;

  private static final String[] RECURSIVE_DOUBLING = {
      "--mca", "coll_tuned_use_dynamic_rules", "1", "--mca", "coll_tuned_allreduce_algorithm", "3"
  };

  /** Runs in the ranks: drops the folder for reports into the application's own option. */
  static final class Main {
    public static void main(String[] args) {
      List<String> arguments = new ArrayList<>(List.of(args).subList(1, args.length));
      arguments.addAll(List.of("--json", args[0] + "/report-json"));
      Hpccg.main(arguments.toArray(new String[0]));
    }
  }

  static List<ReferenceCase> cases() throws IOException {
    return ReferenceCase.all("hpccg").stream().filter(one -> ALL || SHORT.contains(one.toString())).toList();
  }

  private static JsonNode run(RankJob job, String... arguments) throws IOException {
    RankJob.Outcome outcome = job.run(Main.class, arguments).assertSuccess();
    return new ObjectMapper().readTree(outcome.reports().get("json"));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void givesEveryDigitOfTheOriginal(ReferenceCase reference) throws IOException {
    JsonNode result = run(RankJob.of(reference.ranks(), 0).compiledAsForUsers().mpirun(RECURSIVE_DOUBLING).timeoutSeconds(120),
        reference.arguments());
    assertThat(reference.differences(result, true)).isEmpty();
    assertThat(ReferenceCase.of("hpccg", result)).as("what make validate-app takes it for").isEqualTo(reference);
  }

  @Test
  void aRunThatLosesAProcessGivesTheSameBits() throws IOException {
    String[] size = {"16", "16", "16"};
    JsonNode undisturbed = run(RankJob.of(4, 1), size);
    JsonNode killed = run(RankJob.of(4, 1).kill("process:2@60"), size);
    assertThat(undisturbed.get("recoveries")).isEmpty();
    assertThat(killed.get("recoveries")).hasSize(1);
    assertThat(killed.get("recoveries").get(0).get("failedRanks").get(0).asInt()).isEqualTo(2);
    for (String figure : List.of("figures", "residuals", "maxError", "sumX", "iterations")) {
      assertThat(killed.get(figure)).as(figure).isEqualTo(undisturbed.get(figure));
    }
    assertThat(undisturbed.get("iterationBytes")).as("bytes of heap").hasSize(150).allMatch(bytes -> bytes.asLong() == 0);
    // The spare's own times, from the iteration after the checkpoint at 50 to the last.
    assertThat(undisturbed.get("takeovers")).isEmpty();
    assertThat(killed.get("takeovers")).hasSize(1);
    JsonNode takeover = killed.get("takeovers").get(0);
    assertThat(takeover.get("rank").asInt()).isEqualTo(2);
    assertThat(takeover.get("firstIteration").asInt()).isEqualTo(51);
    assertThat(takeover.get("iterationSeconds")).hasSize(150 - 51).allMatch(seconds -> seconds.asDouble() > 0);
  }

  /** The result of {@link #SMALL} without a failure; made once. */
  private static JsonNode smallUndisturbed() throws IOException {
    if (smallUndisturbed == null) {
      smallUndisturbed = run(RankJob.of(3, 0), SMALL);
    }
    return smallUndisturbed;
  }

  @Tag("series") // KillMatrixTest has two deaths one after the other
  @Test
  void twoSparesTakeTwoPlacesOneAfterTheOther() throws IOException {
    JsonNode killed = run(RankJob.of(3, 2).kill("process:0@30").kill("process:0@90"), SMALL);
    // Rank 0 tells; on the fork its last process did not exist when the first recovery took place.
    assertThat(killed.get("recoveries")).hasSize(RankJob.flavour() == Flavour.REINIT ? 1 : 2);
    assertThat(killed.get("residuals")).isEqualTo(smallUndisturbed().get("residuals"));
  }

  @Test
  void fileCheckpointsServeAsWell(@TempDir Path folder) throws IOException {
    JsonNode killed = run(RankJob.of(3, 1).kill("process:1@45")
        .jvm("-Dkintsugi.checkpoint.store=file", "-Dkintsugi.checkpoint.dir=" + folder), SMALL);
    assertThat(killed.get("recoveries")).hasSize(1);
    assertThat(killed.get("recoveries").get(0).get("failedRanks").get(0).asInt()).isEqualTo(1);
    assertThat(killed.get("takeovers").get(0).get("firstIteration").asInt()).as("not begun anew").isBetween(2, 45);
    assertThat(killed.get("residuals")).isEqualTo(smallUndisturbed().get("residuals"));
    assertThat(folder).isDirectoryContaining("glob:**rank-00001.*.ckpt");
  }
}
