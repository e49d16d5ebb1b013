// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kintsugi.ci.soak.Nodes;
import org.kintsugi.ci.soak.SaveKills;
import org.kintsugi.examples.hpccg.Hpccg;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.test.RankJob;

/** HPCCG with checkpoints by FTI: recovered in place, restarted, and killed in saves. */
@Tag("flavours")
class FtiRecoveryTest {
  private static final int LIMIT_SECONDS = 300;
  private static final List<String> FIGURES = List.of("iterations", "residuals", "sumX", "maxError");

  private static JsonNode undisturbed;

  @TempDir
  private Path folder;

  private JsonNode run(String name, String... options) throws IOException, InterruptedException {
    Path json = folder.resolve(name + ".json");
    Path output = folder.resolve(name);
    MpiHome mpi = RankJob.mpiOrSkip();
    List<String> line = RankJob.jmpirun(mpi);
    line.addAll(List.of("-n", "4", "--timeout", "120"));
    line.addAll(List.of(options));
    line.add("-XX:TieredStopAtLevel=1"); // soon at an end
    line.addAll(RankJob.classes(mpi));
    line.addAll(List.of(Hpccg.class.getName(), "8", "8", "8", "--json", json.toString()));
    Process process = new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(output.toFile()).start();
    try {
      assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).as("ended in time").isTrue();
    } finally {
      process.destroy();
    }
    assertThat(process.exitValue()).as(Files.readString(output)).isZero();
    return new ObjectMapper().readTree(json.toFile());
  }

  /**
   * The job recovers from the first death in place. The second one is followed by a restart.
   *
   * <p>It is one too many for recovery in place; FTI's files have the data for the restart.
   */
  @ParameterizedTest
  @ValueSource(strings = "1")
  void sameResidualsAfterAKillInPlaceAndARestart(String level) throws IOException, InterruptedException {
    Installed.orSkip("fti");
    if (undisturbed == null) {
      undisturbed = run("undisturbed");
    }
    String[] limit = RankJob.flavour() == Flavour.REINIT ? new String[] {"--max-respawns", "1"}
        : new String[] {"--spares", "1", "--refill=false"};
    List<String> options = new ArrayList<>(List.of(limit));
    options.addAll(List.of("--restart", "--kill", "process:2@55", "--kill", "process:0@97",
        "-Dkintsugi.checkpoint.store=fti", "-Dkintsugi.checkpoint.dir=" + folder.resolve("shared"),
        "-Dkintsugi.checkpoint.local.dir=" + folder.resolve("local"), "-Dkintsugi.fti.levels=" + level));
    JsonNode recovered = run("recovered", options.toArray(new String[0]));
    FIGURES.forEach(figure -> assertThat(recovered.get(figure)).as(figure).isEqualTo(undisturbed.get(figure)));
    String output = Files.readString(folder.resolve("recovered"));
    assertThat(output).contains("the job ended with 75, starting it again (1 of at most 3)")
        .as("for the death, and not because of a hang").doesNotContain("a limit has struck", "(2 of at most 3)");
    assertThat(recovered.at("/iterationSeconds/80").asDouble()).as("iteration 80 is not made again").isZero();
    assertThat(recovered.at("/iterationSeconds/100").asDouble()).isPositive();
    assertThat(folder.resolve("shared/fti/place-0")).as("nothing is left").doesNotExist();
    try (var left = Files.list(folder.resolve("local"))) {
      assertThat(left.toList()).as("nothing is left on the node").isEmpty();
    }
  }

  @Tag("series")
  @ParameterizedTest
  @ValueSource(strings = {"2", "3", "4"})
  void theSameOnTheOtherLevels(String level) throws IOException, InterruptedException {
    sameResidualsAfterAKillInPlaceAndARestart(level);
  }

  /** Three deaths, in a job that saves on all levels; the soak has more. */
  @Tag("series")
  @Tag("once")
  @ParameterizedTest
  @ValueSource(strings = "1,2:2,3:4,4:6")
  void deathsInsideOfSaves(String levels) throws IOException {
    Installed.orSkip("fti");
    assertThat(SaveKills.run("fti -Dkintsugi.fti.levels=" + levels, 7, 3, Nodes.ONE).text()).startsWith(SaveKills.RIGHT);
  }

  @Tag("series")
  @ParameterizedTest
  @ValueSource(strings = "2")
  void deathsInsideOfSavesOnOneLevel(String levels) throws IOException {
    deathsInsideOfSaves(levels);
  }
}
