// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a proof makes of what processes have written down. */
class ProofTest {
  @TempDir
  private Path folder;

  private Recording recording(String... lines) throws IOException {
    Path of = Files.createTempDirectory(folder, "job");
    Files.writeString(of.resolve("1.proof"), String.join("\n", lines) + "\n");
    return Recording.in(of);
  }

  @Test
  void anItemThatDiffersIsNamedFirst() throws IOException {
    Recording whole = recording("item 1 10 0 8 aa x", "item 1 10 0 8 bb the y", "item 1 20 0 8 cc x");
    Recording other = recording("item 1 10 0 8 aa x", "item 1 10 0 8 b0 the y", "item 1 20 0 8 c0 x");
    assertThat(whole.differences(other)).hasToString("[\"the y\" of rank 0 in version 10, \"x\" of rank 0 in version 20]");
    assertThat(whole.differences(whole)).isEmpty();
  }

  @Test
  void aVersionThatIsSavedAgainMustBeTheSame() throws IOException {
    Recording once = recording("item 1 10 0 8 aa x");
    assertThat(once.differences(recording("item 1 10 0 8 aa x", "item 1 10 0 8 aa x"))).isEmpty();
    assertThat(once.differences(recording("item 1 10 0 8 aa x", "item 1 10 0 8 ab x"))).hasSize(1);
    assertThat(once.differences(recording("item 1 10 0 16 aa x"))).as("another length").hasSize(1);
  }

  @Test
  void versionsOfOneJobOnlyAreNotCompared() throws IOException {
    Recording one = recording("item 1 10 0 8 aa x", "item 1 20 0 8 ab x");
    Recording other = recording("item 1 10 0 8 aa x", "item 1 30 0 8 ac x");
    assertThat(one.differences(other)).isEmpty();
    assertThat(one.common(other)).hasSize(1);
  }

  @Test
  void aPartOfALineIsNoLine() throws IOException {
    Path file = folder.resolve("cut").resolve("1.proof");
    Files.createDirectories(file.getParent());
    Files.writeString(file, "iteration 0 0\niteration 0 1\nitem 1 10 0 8 a");
    Recording recording = Recording.in(file.getParent());
    assertThat(recording.iterations()).containsExactly(0L, 1L);
    assertThat(recording.names()).isEmpty();
  }

  @Test
  void theFirstIterationTheOneAfterASaveAndTheLastAreAmongTheMoments() throws IOException {
    Recording recording = recording("iteration 0 0", "iteration 0 1", "iteration 0 2", "item 1 3 0 8 aa x", "iteration 0 3",
        "iteration 0 4", "iteration 1 0", "iteration 1 5");
    List<Moment> moments = Moment.choose(recording, 4, 7);
    assertThat(moments).extracting(Moment::iteration).as("4 is the only other one after the save")
        .containsExactly(0L, 3L, 5L, 4L);
    assertThat(moments).extracting(Moment::rank).contains(0, 1);
    assertThat(Moment.choose(recording, 4, 7)).as("the same seed").isEqualTo(moments);
    assertThat(Moment.choose(recording, 100, 7)).as("there are no more iterations").hasSize(6);
  }

  @Test
  void theJobsGetTheOtherWords() {
    assertThat(ProofOptions.without(List.of("-n", "4", "--prove", "--prove-deaths", "3", "--prove-seed=5", "--spares", "2")))
        .containsExactly("-n", "4", "--spares", "2");
  }
}
