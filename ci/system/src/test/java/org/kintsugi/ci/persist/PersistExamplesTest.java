// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.persist;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kintsugi.ci.checkpoint.Installed;
import org.kintsugi.examples.persist.Heat;
import org.kintsugi.examples.persist.TwoProcesses;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.test.RankJob;

/**
 * The paper's two programs lose a process, and end as an undisturbed run does.
 *
 * <p>They recover in place, and by a restart of the job.
 */
@Tag("flavours")
class PersistExamplesTest {
  private static final int LIMIT_SECONDS = 300;

  private static Outcome undisturbedProcesses;
  private static JsonNode undisturbedHeat;

  @TempDir
  private Path folder;

  private record Outcome(int code, String output) {
    Outcome assertSuccess() {
      assertThat(code).as(output).isZero();
      return this;
    }

    List<String> finals() {
      return output.lines().filter(line -> line.startsWith("Final:")).sorted().toList();
    }
  }

  private Outcome run(String name, List<String> options, Class<?> main, String... arguments) {
    MpiHome mpi = RankJob.mpiOrSkip();
    Path output = folder.resolve(name);
    List<String> line = RankJob.jmpirun(mpi);
    line.addAll(List.of("--timeout", "120"));
    line.addAll(options);
    line.addAll(List.of("-XX:TieredStopAtLevel=1", // soon at an end
        "-Dkintsugi.persist.dir=" + folder.resolve("persist-" + name),
        "-Dkintsugi.checkpoint.local.dir=" + folder.resolve("local")));
    line.addAll(RankJob.classes(mpi));
    line.add(main.getName());
    line.addAll(List.of(arguments));
    try {
      Process process = new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(output.toFile()).start();
      try {
        assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).as("ended in time").isTrue();
      } finally {
        process.destroy();
      }
      return new Outcome(process.exitValue(), Files.readString(output));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<String> withSpare(int ranks, String... more) {
    List<String> options = new ArrayList<>(List.of("-n", String.valueOf(ranks)));
    if (RankJob.flavour() == Flavour.ULFM) {
      options.addAll(List.of("--spares", "1"));
    }
    options.addAll(List.of(more));
    return options;
  }

  private static List<String> startedAgain(int ranks, String... more) {
    List<String> options = new ArrayList<>(List.of("-n", String.valueOf(ranks), "--restart"));
    if (RankJob.flavour() == Flavour.REINIT) {
      // The fork's runtime replaces a process without any spare.
      options.addAll(List.of("--max-respawns", "0"));
    }
    options.addAll(List.of(more));
    return options;
  }

  /** The result of a run without a failure, with any store; made once. */
  private Outcome undisturbedProcesses() {
    if (undisturbedProcesses == null) {
      undisturbedProcesses =
          run("undisturbed", withSpare(2, "-Dkintsugi.persist.store=memory"), TwoProcesses.class).assertSuccess();
      assertThat(undisturbedProcesses.finals()).hasSize(2);
    }
    return undisturbedProcesses;
  }

  @Tag("once")
  @ParameterizedTest
  @ValueSource(strings = "file")
  void twoProcesses(String store) {
    String property = "-Dkintsugi.persist.store=" + store;
    Outcome undisturbed = undisturbedProcesses();
    Outcome recovered = run("recovered", withSpare(2, "--kill", "process:1@6", property), TwoProcesses.class).assertSuccess();
    assertThat(recovered.finals()).isEqualTo(undisturbed.finals());
    assertThat(recovered.output().lines().filter(line -> line.startsWith("0 4 "))).as("iteration 4 is not made again").hasSize(1);
    if (!store.equals("memory")) {
      Outcome again = run("again", startedAgain(2, "--kill", "process:0@6", property), TwoProcesses.class).assertSuccess();
      assertStartedAgainForTheFailure(again);
      assertThat(again.finals()).isEqualTo(undisturbed.finals());
      assertThat(again.output().lines().filter(line -> line.startsWith("0 4 "))).as("iteration 4 is not made again").hasSize(1);
    }
  }

  @Tag("series")
  @Test
  void twoProcessesInMemory() {
    twoProcesses("memory");
  }

  /** The restart must come from the death, as a hang leads to one as well. */
  private static void assertStartedAgainForTheFailure(Outcome outcome) {
    assertThat(outcome.output()).contains("the job ended with 75, starting it again (1 of at most 3)")
        .doesNotContain("a limit has struck", "(2 of at most 3)");
  }

  private Outcome runHeat(String name, List<String> options) {
    return run(name, options, Heat.class, "60", "40", "50", "--interval", "4", "--json", json(name).toString()).assertSuccess();
  }

  private Path json(String name) {
    return folder.resolve(name + ".json");
  }

  private JsonNode heat(String name, List<String> options) throws IOException {
    runHeat(name, options);
    return new ObjectMapper().readTree(json(name).toFile());
  }

  @Tag("once")
  @Test
  void heatInMemory() throws IOException {
    assertHeatIsRecovered("-Dkintsugi.persist.store=memory");
  }

  /** Stores outlive a job whatever MPI it runs on. */
  @Tag("series")
  @Tag("once")
  @ParameterizedTest
  @ValueSource(strings = "jdbc")
  void heatInAStoreThatOutlivesTheJob(String store) throws IOException {
    String property = "-Dkintsugi.persist.store=" + store;
    assertHeatIsRecovered(property);
    assertStartedAgainForTheFailure(runHeat("again", startedAgain(3, "--kill", "process:1@22", property)));
    JsonNode again = new ObjectMapper().readTree(json("again").toFile());
    assertThat(again.get("hash")).isEqualTo(undisturbedHeat().get("hash"));
  }

  @Tag("series")
  @Test
  void heatInTheStoreOfScr() throws IOException {
    Installed.orSkip("scr");
    heatInAStoreThatOutlivesTheJob("scr");
  }

  private void assertHeatIsRecovered(String property) throws IOException {
    JsonNode recovered = heat("recovered", withSpare(3, "--kill", "process:2@31", property));
    assertThat(recovered.get("hash")).isEqualTo(undisturbedHeat().get("hash"));
    assertThat(recovered.get("recoveries")).hasSize(1);
  }

  /** The result of a run without a failure, with any store; made once. */
  private JsonNode undisturbedHeat() throws IOException {
    if (undisturbedHeat == null) {
      undisturbedHeat = heat("undisturbed", withSpare(3, "-Dkintsugi.persist.store=memory"));
    }
    return undisturbedHeat;
  }
}
