// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.kintsugi.launch.Job;
import org.kintsugi.test.RankJob;

/** Files that FTI and SCR have written are damaged between two jobs: the newest version that is whole everywhere comes back. */
@Tag("files")
class LibraryDamageTest {
  private static final int RANKS = 2;
  private static final int VICTIM = 1;

  /** The parts of a job's folder. */
  private static final String[] PARTS = {"shared", "local"};

  @TempDir
  private Path folder;

  private RankJob.Outcome job(Library library, boolean restores, String... versions) {
    return SavesAndRestores.in(library.job(RANKS, folder), restores, versions);
  }

  private void assertRestores(Library library, String expected) {
    SavesAndRestores.assertRestored(job(library, true), RANKS, expected);
  }

  /** Half of the damages to the files of each of the two libraries. */
  @ParameterizedTest
  @EnumSource(Library.class)
  void theOlderVersionComesBack(Library library) throws IOException {
    assertOlderVersionComesBack(library, 1);
  }

  @Tag("series")
  @ParameterizedTest
  @EnumSource(Library.class)
  void theOlderVersionComesBackAfterTheOtherDamagesToo(Library library) throws IOException {
    assertOlderVersionComesBack(library, 0);
  }

  private void assertOlderVersionComesBack(Library library, int half) throws IOException {
    job(library, false, "7", "8").assertSuccess();
    SavedFolder saved = SavedFolder.of(folder, PARTS);
    for (Damage damage : Damage.values()) {
      if ((library.ordinal() + damage.ordinal()) % 2 == half) {
        saved.putBack();
        damage.to(library.versions(folder, VICTIM).get(1), library.versions(folder, 0).get(1));
        RankJob.Outcome restored = job(library, true, "8", "9");
        SavesAndRestores.assertRestored(restored, RANKS, "7 right", damage);
        SavesAndRestores.assertRestored(job(library, true), RANKS, "9 right", damage);
      }
    }
  }

  @Tag("series")
  @ParameterizedTest
  @EnumSource(Library.class)
  void anyOneFileMayBeTorn(Library library) throws IOException {
    assertMayBeTorn(library, 1);
  }

  @Tag("series")
  @ParameterizedTest
  @EnumSource(Library.class)
  void everyNinthFileMayBeTorn(Library library) throws IOException {
    assertMayBeTorn(library, 9);
  }

  /** Their own books as well: at most the newest version may be lost with any one of them. */
  private void assertMayBeTorn(Library library, int step) throws IOException {
    job(library, false, "7", "8").assertSuccess();
    SavedFolder saved = SavedFolder.of(folder, PARTS);
    List<Path> files = saved.files().stream().filter(file -> file.toFile().length() > 0).toList();
    assertThat(files).as("two files of each rank, and books").hasSizeGreaterThan(2 * RANKS);
    for (int i = 0; i < files.size(); i += step) {
      saved.putBack();
      Path torn = folder.resolve(saved.copy().relativize(files.get(i)));
      Damage.TORN.to(torn, null);
      RankJob.Outcome outcome = job(library, true).assertSuccess();
      assertThat(outcome.reports()).as(torn + ": " + outcome.output()).hasSize(RANKS);
      assertThat(Set.copyOf(outcome.reports().values())).as(torn + ": " + outcome.output())
          .isSubsetOf("7 right", "8 right").hasSize(1);
    }
  }

  /** SCR itself would throw away what is of another number of ranks, so it has to be known. */
  @Test
  void whereTheNumberOfRanksIsNotKnownItIsAskedFor() throws IOException {
    job(Library.SCR, false, "7").assertSuccess();
    Path file = folder.resolve("shared").resolve("scr").resolve("kintsugi.ranks");
    Files.writeString(file, "");
    RankJob.Outcome refused = job(Library.SCR, true);
    assertThat(refused.exitCode()).as(refused.output()).isNotIn(0, Job.TIMED_OUT);
    assertThat(refused.output()).contains(file + " is damaged").contains("Write that number into it");
    Files.writeString(file, String.valueOf(RANKS));
    assertRestores(Library.SCR, "7 right");
  }

  @ParameterizedTest
  @EnumSource(value = Library.class, names = "FTI")
  void withBothVersionsGoneAllBeginAgain(Library library) throws IOException {
    job(library, false, "7", "8").assertSuccess();
    for (Path file : library.versions(folder, VICTIM)) {
      Damage.TORN.to(file, null);
    }
    assertRestores(library, "-1 right");
  }

  @Tag("series")
  @Test
  void withBothVersionsOfScrGoneTheyDoSoToo() throws IOException {
    withBothVersionsGoneAllBeginAgain(Library.SCR);
  }

  @ParameterizedTest
  @EnumSource(value = Library.class, names = "FTI")
  void aClockThatWasSetBackChangesNothing(Library library) throws IOException {
    job(library, false, "7", "8").assertSuccess();
    for (int rank = 0; rank < RANKS; rank++) {
      List<Path> versions = library.versions(folder, rank);
      Files.setLastModifiedTime(versions.get(0), FileTime.from(Instant.parse("2090-01-01T00:00:00Z")));
      Files.setLastModifiedTime(versions.get(1), FileTime.from(Instant.EPOCH));
    }
    assertRestores(library, "8 right");
  }

  @Tag("series")
  @Test
  void aClockThatWasSetBackChangesNothingForScr() throws IOException {
    aClockThatWasSetBackChangesNothing(Library.SCR);
  }
}
