// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.launch.internal.proof.ProofJob.Outcome;
import org.kintsugi.launch.internal.proof.Undisturbed.Differences;

/** What differs between runs of a proof. */
class UndisturbedTest {
  @TempDir
  private Path folder;

  /** A run that saves one item with this checksum. */
  private Outcome outcome(int code, String checksum, String... lines) throws IOException {
    Path of = Files.createTempDirectory(folder, "job");
    Files.writeString(of.resolve("1.proof"), "iteration 0 0\nitem 1 10 0 8 " + checksum + " x\n");
    return new Outcome(code, new LinkedHashSet<>(List.of(lines)), "it failed", Recording.in(of), 1);
  }

  @Test
  void aLineThatSomeRunsDoNotPrintIsNotCompared() throws IOException {
    Undisturbed undisturbed = new Undisturbed(outcome(0, "aa", "sum 5", "took 0.1 s"), List.of());
    assertThat(undisturbed.objection(outcome(0, "aa", "sum 5", "took 0.1 s"))).isNull();
    Outcome recovered = outcome(0, "aa", "sum 5", "took 0.3 s");
    Differences differences = undisturbed.differences(recovered);
    assertThat(differences.texts()).containsExactly("a line is missing: took 0.1 s", "a line is new: took 0.3 s");
    assertThat(differences.areOfLinesOnly()).isTrue();

    assertThat(undisturbed.objection(outcome(0, "aa", "sum 5", "took 0.2 s"))).isNull();
    assertThat(undisturbed.unsteadyLines()).isEqualTo(1);
    assertThat(undisturbed.differences(recovered).isEmpty()).isTrue();
    assertThat(undisturbed.differences(outcome(0, "aa", "took 0.3 s")).texts()).contains("a line is missing: sum 5");
  }

  @Test
  void itemsAndExitCodesAreNoLines() throws IOException {
    Undisturbed undisturbed = new Undisturbed(outcome(0, "aa", "sum 5"), List.of());
    Differences ofItem = undisturbed.differences(outcome(0, "ab", "sum 6"));
    assertThat(ofItem.texts()).first().asString().startsWith("differs first: \"x\" of rank 0 in version 10");
    assertThat(ofItem.areOfLinesOnly()).isFalse();
    Differences ofCode = undisturbed.differences(outcome(3, "aa", "sum 5"));
    assertThat(ofCode.texts()).first().asString().startsWith("it ends with 3, without a failure with 0");
    assertThat(ofCode.areOfLinesOnly()).isFalse();
  }

  @Test
  void itemsThatOneRunAloneHasSavedAreCounted() throws IOException {
    Undisturbed undisturbed = new Undisturbed(outcome(0, "aa"), List.of());
    assertThat(undisturbed.leftOut(outcome(0, "ab"))).isNull();
    assertThat(undisturbed
        .leftOut(new Outcome(0, new LinkedHashSet<>(), "", Recording.in(Files.createTempDirectory(folder, "none")), 1)))
        .startsWith("compared: 0 of 1 items in all versions");
  }

  @Test
  void ignoredLinesAreNotCompared() throws IOException {
    Undisturbed undisturbed = new Undisturbed(outcome(0, "aa", "sum 5", "took 0.1 s"), List.of(Pattern.compile("^took")));
    assertThat(undisturbed.differences(outcome(0, "aa", "sum 5", "took 0.3 s")).isEmpty()).isTrue();
  }

  @Test
  void runsWithoutAFailureThatDifferProveNothing() throws IOException {
    Undisturbed undisturbed = new Undisturbed(outcome(0, "aa", "sum 5"), List.of());
    assertThat(undisturbed.objection(outcome(1, "aa", "sum 5"))).startsWith("two runs without a failure end with 0 and 1");
    assertThat(undisturbed.objection(outcome(0, "ab", "sum 5")))
        .startsWith("two runs without a failure differ: \"x\" of rank 0 in version 10 is the first of 1 such items");
  }
}
