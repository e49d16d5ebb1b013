// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.kintsugi.ci.ranks.Waiting;
import org.kintsugi.test.RankJob;

/** The folders of FTI and SCR are full, read-only, no folders or another job's: what was complete is never lost. */
@Tag("files")
class LibraryFolderTest {
  private static final long START_SECONDS = 120;
  private static final int RANKS = 2;

  @TempDir
  private Path folder;

  private RankJob.Outcome job(Library library, String... steps) {
    return library.job(RANKS, folder).run(TriesToSave.class, steps);
  }

  @ParameterizedTest
  @EnumSource(Library.class)
  void aFullDiskKeepsTheVersionBefore(Library library) throws IOException {
    // Room for two versions of one rank and one of the other, of a MiB each.
    try (SmallDisk disk = SmallDisk.mount(folder.resolve("local"), "size=3700k")) {
      RankJob.Outcome outcome = job(library, "1", "2", "3").assertSuccess();
      assertThat(outcome.reports()).hasSize(RANKS);
      assertThat(outcome.reports().values()).allSatisfy(story -> assertThat(story).startsWith("saved 1\nnot saved: ")
          .contains("\nnot saved: ").endsWith("restored 1 with 10").doesNotContain("saved 2").doesNotContain("saved 3"));
      assertThat(outcome.output() + outcome.reports()).contains("No space left on device")
          .contains(disk.folder().getParent().toString());
    }
  }

  @ParameterizedTest
  @EnumSource(Library.class)
  void aReadOnlyFolderIsNamed(Library library) throws IOException {
    try (SmallDisk disk = SmallDisk.mount(folder.resolve("local"), "ro")) {
      TriesToSave.assertRefused(job(library, "1"), "Read-only file system", disk.folder().toString());
    }
  }

  @ParameterizedTest
  @EnumSource(Library.class)
  void aFolderThatIsAFileIsNamed(Library library) throws IOException {
    Path file = Files.writeString(folder.resolve("local"), "");
    TriesToSave.assertRefused(job(library, "1"), file.toString());
  }

  @Tag("series")
  @ParameterizedTest
  @EnumSource(value = Library.class, names = "FTI")
  void aSecondJobInTheSameFolderIsRefused(Library library) throws IOException, InterruptedException {
    Path end = folder.resolve("end");
    // On this thread: a test is skipped only by the thread that runs it.
    RankJob firstJob = library.job(RANKS, folder);
    CompletableFuture<RankJob.Outcome> first =
        CompletableFuture.supplyAsync(() -> firstJob.run(TriesToSave.class, "1", "until:" + end));
    Waiting.until("the first job uses the folder, or ends", START_SECONDS, () -> isInUse() || first.isDone());
    assertThat(first).isNotDone();
    TriesToSave.assertRefused(job(library, "77"), "another job uses " + folder.resolve("shared"), "-Dkintsugi.checkpoint.dir");
    Files.createFile(end);
    assertThat(first.join().assertSuccess().reports().values())
        .containsExactly("saved 1\nwaited\nrestored 1 with 10", "saved 1\nwaited\nrestored 1 with 10");
  }

  @Tag("series")
  @Test
  void aSecondJobInTheFolderOfScrIsRefused() throws IOException, InterruptedException {
    aSecondJobInTheSameFolderIsRefused(Library.SCR);
  }

  private boolean isInUse() throws IOException {
    Path shared = folder.resolve("shared");
    if (!Files.isDirectory(shared)) {
      return false;
    }
    try (Stream<Path> files = Files.walk(shared)) {
      return files.anyMatch(file -> file.endsWith("in-use.lock"));
    } catch (UncheckedIOException goneMeanwhile) {
      return false; // the job makes and removes files there
    }
  }
}
