// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.Run;
import org.kintsugi.reinit.State;
import org.kintsugi.test.RankJob;

/** An earlier run's versions never come back into a run that has begun anew, and do come back into one that restores. */
@Tag("flavours")
@Tag("once")
class EarlierRunTest {
  private static final int RANKS = 2;
  private static final long DEATH = 99;

  @TempDir
  private Path folder;

  /** Runs in the ranks: saves versions from the third argument to the fourth, and restores after a failure, or if told to. */
  static final class Saves {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Reinit.run(mpi, run -> body(run, args));
      }
    }

    private static void body(Run run, String... args) throws IOException {
      long[] data = {-1};
      int rank = run.world().rank();
      run.checkpoint().protect("data", data);
      if (args[1].equals("restart") || run.state() != State.NEW) {
        long version = run.checkpoint().restore().orElse(-1);
        RankJob.report(args[0], "rank-" + rank, version + " with " + data[0]);
      }
      if (run.state() != State.NEW) {
        return;
      }
      for (long version = Long.parseLong(args[2]); version <= Long.parseLong(args[3]); version++) {
        data[0] = Long.parseLong(args[4]) + version;
        run.checkpoint().save(version);
      }
      if (args.length > 5 && rank == 0) {
        copy(Path.of(args[5]), Path.of(args[6]));
      }
      run.world().barrier();
      run.iteration(DEATH);
      run.world().barrier();
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  private RankJob job(String store, int spares) {
    List<String> options = new ArrayList<>(List.of("-Dkintsugi.checkpoint.store=" + store,
        "-Dkintsugi.checkpoint.dir=" + shared(), "-Dkintsugi.checkpoint.local.dir=" + folder.resolve("local")));
    for (Library library : Library.values()) {
      options.addAll(library.options());
    }
    return RankJob.of(RANKS, spares).jvm(options.toArray(new String[0]));
  }

  private Path shared() {
    return folder.resolve("shared");
  }

  /** A run that leaves versions up to 12, of data 1000 more. */
  private void earlierRun(String store) {
    job(store, 0).run(Saves.class, "new", "9", "12", "1000").assertSuccess();
  }

  private static void assertRestored(RankJob.Outcome outcome, String what) {
    assertThat(outcome.assertSuccess().reports()).as(outcome.output()).hasSize(RANKS);
    assertThat(outcome.reports().values()).as(outcome.output()).containsOnly(what);
  }

  /** No save of the second run has reached any of the levels after the first. */
  @ParameterizedTest
  @CsvSource(delimiter = ';', value = {"memory,file:4; file", "scr; scr"})
  void aRunThatBeginsAnewGoesBackToItsOwn(String store, String earlier) {
    Stream.of("fti", "scr").filter(store::contains).forEach(Installed::orSkip);
    earlierRun(earlier);
    assertRestored(job(store, 1).kill("process:1@" + DEATH).run(Saves.class, "new", "1", "3", "0"), "3 with 3");
  }

  @Tag("series")
  @ParameterizedTest
  @CsvSource(delimiter = ';', value = "memory,fti:4; fti")
  void aRunThatBeginsAnewGoesBackToItsOwnWithFti(String store, String earlier) {
    aRunThatBeginsAnewGoesBackToItsOwn(store, earlier);
  }

  /** The old versions are next to the run's own ones, in the same slots. */
  @ParameterizedTest
  @ValueSource(strings = "file")
  void aRunIgnoresRemovedFilesThatComeBack(String store) throws IOException {
    earlierRun("file");
    Path aside = folder.resolve("aside");
    copy(shared(), aside);
    assertRestored(job(store, 1).kill("process:1@" + DEATH).run(Saves.class, "new", "1", "3", "0", aside.toString(),
        shared().toString()), "3 with 3");
  }

  /** The run has no files of its own in that folder. */
  @Tag("series")
  @ParameterizedTest
  @ValueSource(strings = "xor,file:4")
  void aRunIgnoresRemovedFilesThatComeBackBelowAnotherLevel(String store) throws IOException {
    aRunIgnoresRemovedFilesThatComeBack(store);
  }

  /** The first of them has no failure, the second one in the middle; both go on from what the run before them has left. */
  @ParameterizedTest
  @ValueSource(strings = "memory,file:4")
  void aRunThatRestoresGoesOnFromTheEarlier(String store) {
    earlierRun("file");
    RankJob.Outcome second = job(store, 0).run(Saves.class, "restart", "13", "16", "1000");
    assertRestored(second, "12 with 1012");
    assertThat(second.output()).containsOnlyOnce("kintsugi: the program goes on from version 12 of an earlier run\n");
    assertRestored(job(store, 1).run(Saves.class, "restart", "17", "17", "1000"), "16 with 1016");
  }

  @Tag("series")
  @ParameterizedTest
  @ValueSource(strings = "file")
  void aRunThatRestoresGoesOnFromTheEarlierWithoutALevelAbove(String store) {
    aRunThatRestoresGoesOnFromTheEarlier(store);
  }

  /** A later run's version is newer, whatever its number, although the earlier one's has come back. */
  @Test
  void aRestartGoesOnFromTheLaterRun() throws IOException {
    earlierRun("file");
    Path aside = folder.resolve("aside");
    copy(shared(), aside);
    job("file", 0).run(Saves.class, "new", "1", "1", "0").assertSuccess();
    for (int rank = 0; rank < RANKS; rank++) {
      try (DirectoryStream<Path> second = Files.newDirectoryStream(aside, String.format("rank-%05d.*.1.ckpt", rank))) {
        Path file = second.iterator().next();
        Files.copy(file, shared().resolve(file.getFileName()));
      }
    }
    assertRestored(job("file", 0).run(Saves.class, "restart", "2", "2", "0"), "1 with 1");
  }
}
