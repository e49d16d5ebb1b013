// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Experiments of all kinds are read, and their runs are planned. */
class StudiesTest {
  private static final Path FOLDER = Path.of("experiments");

  @TempDir
  private Path folder;

  private final Studies studies = new Studies();

  private Study study(String name) throws IOException {
    return studies.read(FOLDER.resolve(name + ".json"), null);
  }

  /** Of all experiments that come with Kintsugi. */
  static List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".json"))
          .map(name -> name.substring(0, name.length() - ".json".length())).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void allSizesOfAllExperimentsHaveRunsWithKeysOfTheirOwn(String name) throws IOException {
    for (String size : List.of("smoke", "laptop", "paper")) {
      List<StudyRun> runs = study(name).runs(size);
      Set<String> keys = new HashSet<>();
      runs.forEach(run -> keys.add(run.key()));
      assertThat(keys).as(size).isNotEmpty().hasSameSizeAs(runs).allMatch(key -> key.startsWith(name + "/" + size + "/"));
    }
    assertThat(study(name).mostRanks("paper")).isGreaterThanOrEqualTo(study(name).mostRanks("laptop"));
  }

  @Test
  void aPointOfTwoFiguresIsMeasuredOnce() throws IOException {
    // Initiators 0 to 3; barrier and allreduce on 2, 4 and 8 ranks; 7 sizes. Initiator 0 and 8 bytes on 4 ranks are there twice.
    assertThat(study("revoke").runs("laptop")).hasSize(6 * (4 + 6 + 7 - 2));
  }

  @Test
  void withTheTwinItIsAnotherRun() throws IOException {
    Path twins = Files.createFile(folder.resolve("twins"));
    Study with = studies.read(FOLDER.resolve("revoke.json"), twins);
    assertThat(with.runs("smoke")).extracting(StudyRun::key)
        .doesNotContainAnyElementsOf(study("revoke").runs("smoke").stream().map(StudyRun::key).toList());
  }

  private void assertRefused(String text, String... words) throws IOException {
    Path file = Files.writeString(folder.resolve("mine.json"), text);
    assertThatExceptionOfType(ExperimentException.class).isThrownBy(() -> studies.read(file, null))
        .satisfies(refused -> assertThat(refused.getMessage()).contains(words));
  }

  @Test
  void mistakesAreNamed() throws IOException {
    assertRefused("{\"kind\": \"hope\", \"name\": \"mine\"}", "kind hope", "designs, persist, revoke");
    assertRefused("{\"kind\": \"revoke\", \"name\": \"mine\"}", "needs name, title");
    String revoke = "{\"kind\": \"revoke\", \"name\": \"a\", \"title\": \"b\", \"paper\": \"c\", \"sizes\": {\"smoke\": {%s, "
        + "\"times\": 5, \"seconds\": 1, \"repetitions\": 1, \"limitSeconds\": 9}}}";
    assertRefused(revoke.formatted("\"ranks\": [2], \"at\": 2, \"initiators\": [2], \"bytes\": [8]"), "initiators [2]", "0 to 1");
    assertRefused(revoke.formatted("\"ranks\": [2], \"at\": 2, \"initiators\": [0], \"bytes\": [9]"), "bytes [9]",
        "multiples of 8");
    assertRefused(revoke.formatted("\"ranks\": [1], \"at\": 2, \"initiators\": [0], \"bytes\": [8]"), "ranks [1]", "2 or more");
    assertRefused(
        "{\"kind\": \"persist\", \"name\": \"a\", \"title\": \"b\", \"paper\": \"c\", \"sizes\": {\"smoke\": {\"ranks\": 2, "
            + "\"stores\": [\"paper\"], \"intervals\": [1], \"rowsByInterval\": 4, \"rows\": [4], \"steps\": 4, \"caseSeconds\": 1, "
            + "\"repetitions\": 1, \"programs\": [], \"programRepetitions\": 0, \"limitSeconds\": 9}}}",
        "store paper", "postgres");
    assertThatExceptionOfType(ExperimentException.class).isThrownBy(() -> study("persist").runs("huge"))
        .withMessageContaining("--size huge").withMessageContaining("laptop");
  }
}
