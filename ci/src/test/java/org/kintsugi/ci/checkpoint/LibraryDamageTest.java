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
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.kintsugi.launch.Job;
import org.kintsugi.test.RankJob;
import org.kintsugi.test.TemporaryFolder;

/** Files that FTI and SCR have written are damaged between two jobs: the newest version that is whole everywhere comes back. */
@Tag("files")
class LibraryDamageTest {
  private static final int RANKS = 2;
  private static final int VICTIM = 1;

  /** Of a job's folder. */
  private static final String[] PARTS = {"shared", "local"};

  @TempDir
  private Path folder;

  private RankJob.Outcome job(Library library, boolean restores, String... versions) {
    return SavesAndRestores.in(library.job(RANKS, folder), restores, versions);
  }

  private void assertRestores(Library library, String expected) {
    SavesAndRestores.assertRestored(job(library, true), RANKS, expected);
  }

  private static Stream<Arguments> damages(boolean ofTheSeries) {
    return Stream.of(Library.values()).flatMap(library -> Stream.of(Damage.values())
        .filter(damage -> (library.ordinal() + damage.ordinal()) % 2 == 1 == ofTheSeries)
        .map(damage -> Arguments.of(library, damage)));
  }

  /** Each one of one of the two libraries. */
  static Stream<Arguments> everyDamage() {
    return damages(false);
  }

  /** And of the other one. */
  static Stream<Arguments> theOtherDamages() {
    return damages(true);
  }

  @Tag("series")
  @ParameterizedTest
  @MethodSource("theOtherDamages")
  void theOlderVersionComesBackFromTheOtherOneToo(Library library, Damage damage) throws IOException {
    theOlderVersionComesBack(library, damage);
  }

  @ParameterizedTest
  @MethodSource("everyDamage")
  void theOlderVersionComesBack(Library library, Damage damage) throws IOException {
    job(library, false, "7", "8").assertSuccess();
    damage.to(library.versions(folder, VICTIM).get(1), library.versions(folder, 0).get(1));
    RankJob.Outcome restored = job(library, true, "8", "9");
    SavesAndRestores.assertRestored(restored, RANKS, "7 right");
    assertRestores(library, "9 right");
  }

  @Tag("series")
  @ParameterizedTest
  @EnumSource(Library.class)
  void anyOneFileMayBeTorn(Library library) throws IOException {
    assertMayBeTorn(library, 1);
  }

  @ParameterizedTest
  @EnumSource(Library.class)
  void everyThirdFileMayBeTorn(Library library) throws IOException {
    assertMayBeTorn(library, 3);
  }

  /** Their own books as well: at most the newest version may be lost with any one of them. */
  private void assertMayBeTorn(Library library, int step) throws IOException {
    job(library, false, "7", "8").assertSuccess();
    Path whole = folder.resolve("whole");
    for (String part : PARTS) {
      copy(folder.resolve(part), whole.resolve(part));
    }
    List<Path> files = files(whole).stream().filter(file -> file.toFile().length() > 0).toList();
    assertThat(files).as("two files of each rank, and books").hasSizeGreaterThan(2 * RANKS);
    for (int i = 0; i < files.size(); i += step) {
      for (String part : PARTS) {
        TemporaryFolder.remove(folder.resolve(part));
        copy(whole.resolve(part), folder.resolve(part));
      }
      Path torn = folder.resolve(whole.relativize(files.get(i)));
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

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path path : all.toList()) {
        Files.createDirectories(to.resolve(from.relativize(path)).getParent());
        Files.copy(path, to.resolve(from.relativize(path)));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Library.class)
  void withBothVersionsGoneAllBeginAgain(Library library) throws IOException {
    job(library, false, "7", "8").assertSuccess();
    for (Path file : library.versions(folder, VICTIM)) {
      Damage.TORN.to(file, null);
    }
    assertRestores(library, "-1 right");
  }

  @ParameterizedTest
  @EnumSource(Library.class)
  void aClockThatWasSetBackChangesNothing(Library library) throws IOException {
    job(library, false, "7", "8").assertSuccess();
    for (int rank = 0; rank < RANKS; rank++) {
      List<Path> versions = library.versions(folder, rank);
      Files.setLastModifiedTime(versions.get(0), FileTime.from(Instant.parse("2090-01-01T00:00:00Z")));
      Files.setLastModifiedTime(versions.get(1), FileTime.from(Instant.EPOCH));
    }
    assertRestores(library, "8 right");
  }
}
