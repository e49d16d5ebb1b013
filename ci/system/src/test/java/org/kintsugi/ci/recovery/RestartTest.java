// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.ci.ranks.JmpirunProcess.Ended;
import org.kintsugi.ci.ranks.JmpirunProcess;
import org.kintsugi.examples.hpccg.Hpccg;
import org.kintsugi.runtime.ExitCodes;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.test.RankJob;

/**
 * Checkpoint and restart, with which the papers compare recovery in place.
 *
 * <p>A failure that is not recovered in place ends the job, and {@code jmpirun --restart} starts it
 * again from its files.
 */
@Tag("flavours")
class RestartTest {
  private static final int LIMIT_SECONDS = 240;
  private static final List<String> FIGURES = List.of("iterations", "residuals", "sumX", "maxError");

  @TempDir
  private Path folder;

  private record Outcome(int code, String output, JsonNode result) {}

  private Outcome run(String name, String... options) throws IOException, InterruptedException {
    MpiHome mpi = RankJob.mpiOrSkip();
    Path json = folder.resolve(name + ".json");
    List<String> line = RankJob.jmpirun(mpi);
    line.addAll(List.of("-n", "3", "--timeout", "90"));
    if (RankJob.flavour() == Flavour.REINIT) {
      // The fork's runtime replaces a process without any spare.
      line.addAll(List.of("--max-respawns", "0"));
    }
    line.addAll(List.of(options));
    line.addAll(
        List.of("-Dkintsugi.checkpoint.store=file", "-Dkintsugi.checkpoint.dir=" + folder.resolve("checkpoints-" + name)));
    line.add("-XX:TieredStopAtLevel=1"); // soon at an end
    line.addAll(RankJob.classes(mpi));
    line.addAll(List.of(Hpccg.class.getName(), "16", "16", "16", "--json", json.toString()));
    Ended ended = JmpirunProcess.run(line, LIMIT_SECONDS);
    return new Outcome(ended.code(), ended.printed(),
        Files.exists(json) ? new ObjectMapper().readTree(json.toFile()) : null);
  }

  @Tag("once")
  @Test
  void theJobGoesOnFromItsFiles() throws IOException, InterruptedException {
    Outcome undisturbed = run("undisturbed");
    assertThat(undisturbed.code()).as(undisturbed.output()).isZero();
    Outcome outcome = run("restarted", "--kill", "process:1@60", "--kill", "process:2@100/2", "--restart");
    assertThat(outcome.code()).as(outcome.output()).isZero();
    assertThat(outcome.output())
        .contains("the job ended with 75, starting it again (1 of at most 3)", "starting it again (2 of at most 3)")
        .as("for the failures, and not because of a hang").doesNotContain("a limit has struck", "(3 of at most 3)");
    FIGURES.forEach(figure -> assertThat(outcome.result().get(figure)).isEqualTo(undisturbed.result().get(figure)));
    assertThat(outcome.result().get("recoveries")).isEmpty();
    assertThat(outcome.result().at("/iterationSeconds/40").asDouble()).as("iteration 40 is not made again").isZero();
    assertThat(outcome.result().at("/iterationSeconds/80").asDouble()).as("nor iteration 80").isZero();
    assertThat(outcome.result().at("/iterationSeconds/120").asDouble()).isPositive();
  }

  @Tag("once")
  @Test
  void unlessNobodyAsksForIt() throws IOException, InterruptedException {
    Outcome outcome = run("ended", "--kill", "process:1@60");
    assertThat(outcome.code()).as(outcome.output()).isEqualTo(ExitCodes.RESTART);
    assertThat(outcome.result()).isNull();
    if (RankJob.flavour() == Flavour.ULFM) {
      // On the fork jmpirun says how many were started anew.
      assertThat(outcome.output()).contains("rank(s) [1] died, and there are not enough spares", "jmpirun --restart");
    }
  }
}
