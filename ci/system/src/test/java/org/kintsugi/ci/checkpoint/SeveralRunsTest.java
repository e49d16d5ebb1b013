// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.Run;
import org.kintsugi.runtime.ExitCodes;
import org.kintsugi.test.RankJob;

/** Each run of a program has its own versions, after restarts, too. */
@Tag("files")
class SeveralRunsTest {
  private static final int RANKS = 2;
  private static final int STEPS = 100;
  private static final int BETWEEN_SAVES = 10;
  /** In the second run, five steps after the save at 50. */
  private static final String DEATH = "process:1@155";

  @TempDir
  private Path folder;

  /**
   * Runs in the ranks. Arguments after the folder: one letter for each run, r for a Reinit run, o for a checkpoint outside of a
   * run, and d for a Reinit run that protects other data. Run k adds 10 to the power of k in each step.
   */
  static final class Program {
    private final String folder;
    private final int number;
    private final long weight;

    private Program(String folder, int number) {
      this.folder = folder;
      this.number = number;
      weight = Math.round(Math.pow(10, number));
    }

    public static void main(String[] args) {
      Mpi.run(args, mpi -> {
        for (int number = 0; number < args[1].length(); number++) {
          Program program = new Program(args[0], number);
          switch (args[1].charAt(number)) {
            case 'o' -> program.outsideRun(mpi);
            case 'd' -> Reinit.run(mpi, run -> program.work(run, run.checkpoint(), run.world(), "other", new long[3]));
            default -> Reinit.run(mpi, run -> program.work(run, run.checkpoint(), run.world(), "sum", new long[1]));
          }
        }
      });
    }

    private void outsideRun(Mpi mpi) {
      try (Comm comm = mpi.world().dup()) {
        Checkpoint checkpoint = Checkpoint.on(comm);
        work(null, checkpoint, comm, "sum", new long[1]);
        checkpoint.close();
      }
    }

    private void work(Run run, Checkpoint checkpoint, Comm world, String name, long... sum) {
      checkpoint.protect(name, sum);
      int begin = (int) checkpoint.restore().orElse(0);
      for (int i = begin; i < STEPS; i++) {
        if (run != null) {
          run.iteration((long) STEPS * number + i);
        }
        sum[0] += weight;
        if (i % BETWEEN_SAVES == BETWEEN_SAVES - 1) {
          checkpoint.save(i + 1);
        }
      }
      RankJob.report(folder, "run " + number + " rank " + world.rank(), sum[0] + " from " + begin);
    }
  }

  private RankJob job(int spares, String... options) {
    return RankJob.of(RANKS, spares).jvm("-Dkintsugi.checkpoint.dir=" + folder.resolve("shared"),
        "-Dkintsugi.checkpoint.local.dir=" + folder.resolve("local"), "-Dkintsugi.reinit.policy=RESTART").jvm(options);
  }

  /** @param begins the step from which each run has gone on */
  private static void assertRight(RankJob.Outcome outcome, int... begins) {
    Map<String, String> expected = new TreeMap<>();
    for (int number = 0; number < begins.length; number++) {
      for (int rank = 0; rank < RANKS; rank++) {
        expected.put("run " + number + " rank " + rank, STEPS * Math.round(Math.pow(10, number)) + " from " + begins[number]);
      }
    }
    outcome.assertSuccess(); // also: nothing says that the kill in the second run never struck
    assertThat(outcome.reports()).as(outcome.output()).containsExactlyInAnyOrderEntriesOf(expected);
  }

  /** @param version the last one that is in files when rank 1 dies in the second run */
  private void aDeathInTheSecondRunAndAnotherStart(int version, String runs, String... options) {
    RankJob.Outcome first = job(0, options).kill(DEATH).run(Program.class, runs);
    assertThat(first.exitCode()).as(first.output()).isEqualTo(ExitCodes.RESTART);
    RankJob.Outcome second = job(0, options).run(Program.class, runs);
    assertRight(second, STEPS, version, 0, 0);
  }

  /** Checkpoints outside of a run count as runs. */
  @ParameterizedTest
  @CsvSource(delimiter = ';', value = {"file; 50", "memory,file:2; 40"})
  void aJobThatIsStartedAgainGoesOnInTheRunThatItWasIn(String store, int version) {
    aDeathInTheSecondRunAndAnotherStart(version, "orod", "-Dkintsugi.checkpoint.store=" + store);
  }

  @ParameterizedTest
  @EnumSource(Library.class)
  void aJobThatIsStartedAgainGoesOnInItsRunWithALibrary(Library library) {
    String name = library.name().toLowerCase(Locale.ROOT);
    Installed.orSkip(name);
    List<String> options = new ArrayList<>(library.options());
    options.add("-Dkintsugi.checkpoint.store=" + name);
    aDeathInTheSecondRunAndAnotherStart(STEPS / 2, "rrdr", options.toArray(new String[0]));
  }

  /** The replacement has waited as a spare in the first run. */
  @ParameterizedTest
  @ValueSource(strings = "file")
  void aReplacementInTheSecondRunTakesItsVersions(String store) {
    assertRight(job(1, "-Dkintsugi.checkpoint.store=" + store).kill(DEATH).run(Program.class, "rr"), 0, STEPS / 2);
  }

  @Tag("series")
  @ParameterizedTest
  @ValueSource(strings = {"xor", "memory,file:2"})
  void aReplacementInTheSecondRunTakesItsVersionsInOtherStores(String store) {
    aReplacementInTheSecondRunTakesItsVersions(store);
  }

  /** Of five runs the last two are finished runs whose versions stay. So does all that is not Kintsugi's. */
  @Test
  void versionsOfTheOldestRunsAreRemoved() throws IOException {
    Path results = Files.createDirectories(folder.resolve("shared/run-2"));
    Files.writeString(results.resolve("result.txt"), "42");
    Files.writeString(folder.resolve("shared/rank-model.ckpt"), "another library's");
    RankJob.Outcome outcome =
        job(0, "-Dkintsugi.checkpoint.store=file", "-Dkintsugi.checkpoint.kept.runs=2").run(Program.class, "rrror");
    assertRight(outcome, 0, 0, 0, 0, 0);
    assertThat(outcome.output()).containsOnlyOnce("keeps the versions of 2 finished runs");
    assertThat(files("shared")).containsExactlyInAnyOrder("in-use.lock", "rank-model.ckpt", "run-2", "run-4", "run-5");
    assertThat(files("shared/run-2")).containsExactly("result.txt");
    assertRight(job(0, "-Dkintsugi.checkpoint.store=file").run(Program.class, "rrror"), 0, 0, 0, STEPS, STEPS);
  }

  @Tag("series")
  @ParameterizedTest
  @EnumSource(Library.class)
  void versionsOfTheOldestRunsAreRemovedInALibrary(Library library) throws IOException {
    String name = library.name().toLowerCase(Locale.ROOT);
    Installed.orSkip(name);
    RankJob.Outcome outcome = job(0, "-Dkintsugi.checkpoint.store=" + name, "-Dkintsugi.checkpoint.kept.runs=1")
        .jvm(library.options().toArray(new String[0])).run(Program.class, "rrr");
    assertRight(outcome, 0, 0, 0);
    try (Stream<Path> all = Files.walk(folder)) {
      List<String> left = all.map(Path::toString).filter(path -> path.matches(".*(Ckpt\\d|rank-\\d).*")).toList();
      assertThat(left).isNotEmpty().allMatch(path -> path.contains("run-3"));
    }
  }

  private List<String> files(String name) throws IOException {
    try (Stream<Path> all = Files.list(folder.resolve(name))) {
      return all.map(file -> file.getFileName().toString()).toList();
    }
  }
}
