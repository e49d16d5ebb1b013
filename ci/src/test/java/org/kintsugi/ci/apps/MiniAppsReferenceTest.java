// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.apps;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.kintsugi.ci.ranks.RankJob;
import org.kintsugi.examples.amg.Amg;
import org.kintsugi.examples.minife.MiniFe;
import org.kintsugi.examples.minivite.MiniVite;
import org.kintsugi.examples.reference.ReferenceCase;

/**
 * miniFE, miniVite and AMG against the figures of the originals, and with the loss of a process: short cases always, all of them
 * with {@code -Dkintsugi.test.reference=all} ({@code make reference}).
 */
@Tag("flavours")
class MiniAppsReferenceTest {
  private static final List<String> SHORT = List.of("minife -nx 16 -ny 12 -nz 10", "minivite -p 3 -l -n 1024 -w");
  private static final int MOST_RANKS = 8;

  /** Runs in the ranks: the folder for reports, the application, its arguments. */
  static final class Main {
    public static void main(String[] args) {
      List<String> arguments = new ArrayList<>(List.of(args).subList(2, args.length));
      arguments.addAll(List.of("--json", args[0] + "/report-json"));
      String[] own = arguments.toArray(new String[0]);
      switch (args[1]) {
        case "minife" -> MiniFe.main(own);
        case "minivite" -> MiniVite.main(own);
        default -> Amg.main(own);
      }
    }
  }

  static List<ReferenceCase> cases() throws IOException {
    boolean all = System.getProperty("kintsugi.test.reference", "short").equals("all");
    List<ReferenceCase> cases = new ArrayList<>(ReferenceCase.all("minife"));
    cases.addAll(ReferenceCase.all("minivite"));
    cases.addAll(ReferenceCase.all("amg"));
    return cases.stream().filter(one -> all ? one.ranks() <= MOST_RANKS : one.ranks() == 4 && SHORT.contains(one.command()))
        .toList();
  }

  private static JsonNode run(RankJob job, String... words) throws IOException {
    return new ObjectMapper().readTree(job.timeoutSeconds(120).run(Main.class, words).assertSuccess().reports().get("json"));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void agreesWithTheOriginal(ReferenceCase reference) throws IOException {
    JsonNode result = run(RankJob.of(reference.ranks(), 0), reference.command().split(" "));
    assertThat(reference.differences(result)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"minife -nx 12 --checkpoint-every 3,process:1@8", "minivite -p 3 -l -n 1024 --checkpoint-every 3,process:1@5",
      "amg -problem 2 -n 4 4 4 -P 2 1 1,process:1@37"})
  void aRunThatLosesAProcessGivesTheSameBits(String command, String kill) throws IOException {
    String[] words = command.split(" ");
    JsonNode undisturbed = run(RankJob.of(2, 0), words);
    JsonNode killed = run(RankJob.of(2, 1).kill(kill), words);
    assertThat(killed.get("recoveries")).hasSize(1);
    assertThat(killed.get("takeovers").get(0).get("firstIteration").asInt()).isGreaterThan(1);
    assertThat(killed.get("figures")).isEqualTo(undisturbed.get("figures"));
  }
}
