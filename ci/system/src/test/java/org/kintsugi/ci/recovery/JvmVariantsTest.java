// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kintsugi.ci.ranks.NewerJava;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.test.RankJob;

/** A recovery on other JVMs than the default one: garbage collectors, JNI checks, a newer JDK; and many that start at once. */
@Tag("flavours")
class JvmVariantsTest {
  private static final int RANKS = 3;
  private static RankJob job() {
    return RankJob.of(RANKS, 1).compiledAsForUsers().timeoutSeconds(120);
  }

  private static RankJob.Outcome losesOne(RankJob job) {
    RankJob.Outcome outcome = job.run(Scenario.class, "in-save", "RESTART", "1").assertSuccess();
    assertThat(outcome.reports()).as(outcome.output()).hasSize(RANKS);
    assertThat(outcome.reports().values()).containsOnly(Scenario.expected(RANKS) + " 1 false");
    return outcome;
  }

  @ParameterizedTest
  @ValueSource(strings = {"-XX:+UseG1GC", "-XX:+UseParallelGC", "-Xint"})
  void recoversWith(String option) {
    losesOne(job().jvm(option));
  }

  @Test
  void jniIsUsedAsItShouldBe() {
    RankJob.Outcome outcome = losesOne(job().jvm("-Xcheck:jni"));
    assertThat(outcome.output()).doesNotContain("WARNING in native method").doesNotContain("FATAL ERROR in native");
  }

  @Test
  void recoversOnANewerJdk() {
    Path newer = NewerJava.orSkip();
    RankJob.Outcome outcome = losesOne(job().java(newer));
    assertThat(outcome.output()).as("no warnings of %s", newer).doesNotContain("WARNING:");
  }

  /** Under plain mpirun every JVM unpacks the natives, all at once (bytedeco/javacpp#608). */
  @Test
  void manyThatStartAtOnceDoNotRaceOnTheNatives(@TempDir Path cache) {
    int ranks = 12;
    RankJob.Outcome outcome = RankJob.of(ranks, 0).timeoutSeconds(240).nativesInJars()
        // Over the launcher's option, which names where it has unpacked them itself.
        .mpirun("-x", "_JAVA_OPTIONS=-Dkintsugi.library.path=" + cache.resolve("missing"))
        .jvm("-Dorg.bytedeco.javacpp.cachedir=" + cache)
        .run(SaysHello.class);
    outcome.assertSuccess();
    assertThat(outcome.reports()).as(outcome.output()).hasSize(ranks);
    assertThat(cache).as("what was unpacked").isNotEmptyDirectory();
  }

  /** Runs in the ranks. */
  static final class SaysHello {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        RankJob.report(args[0], "rank-" + mpi.world().rank(), "here");
      }
    }
  }
}
