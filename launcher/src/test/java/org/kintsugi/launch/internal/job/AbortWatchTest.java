// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.runtime.ExitCodes;

/** The end of a job that a rank has aborted. */
class AbortWatchTest {
  private static final int PATIENCE_SECONDS = 20;
  private static final int MPIRUNS = 134;

  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private Path mark;

  @BeforeEach
  void name(@TempDir Path folder) {
    mark = folder.resolve("mpi-aborted");
  }

  private AbortWatch watch(long graceSeconds) {
    return AbortWatch.begin(mark, graceSeconds, new PrintStream(said, true, StandardCharsets.UTF_8));
  }

  /** Leaves the file at once as a whole, like a rank. */
  private void leave(int code) throws IOException {
    Path own = mark.resolveSibling("own");
    Files.writeString(own, String.valueOf(code));
    Files.move(own, mark, StandardCopyOption.ATOMIC_MOVE);
  }

  @Test
  void whereMpirunDoesNotEndTheJobEndsWithTheRanksCode() throws Exception {
    try (AbortWatch watch = watch(0)) {
      leave(ExitCodes.RESTART);
      assertThat(watch.verdict().get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(ExitCodes.RESTART);
      assertThat(said.toString(StandardCharsets.UTF_8)).contains("exit code 75", "mpirun has not ended");
    }
  }

  @Test
  void mpirunHasTimeToEndByItselfAndThenTheRanksCodeCounts() throws IOException {
    try (AbortWatch watch = watch(PATIENCE_SECONDS)) {
      leave(ExitCodes.RESTART);
      assertThat(watch.verdict()).failsWithin(1, TimeUnit.SECONDS).withThrowableOfType(TimeoutException.class);
      assertThat(watch.judge(MPIRUNS)).isEqualTo(ExitCodes.RESTART);
    }
  }

  @Test
  void withoutAnAbortMpirunsCodeIsTheJobs() {
    try (AbortWatch watch = watch(0)) {
      assertThat(watch.judge(MPIRUNS)).isEqualTo(MPIRUNS);
      assertThat(watch.verdict()).isNotDone();
    }
  }

  @Test
  void anAbortBecauseOfAFailedProcessHasTheCodeThatMpirunKnows() throws IOException {
    try (AbortWatch watch = watch(PATIENCE_SECONDS)) {
      leave(0);
      assertThat(watch.judge(MPIRUNS)).isEqualTo(MPIRUNS);
      assertThat(watch.judge(0)).isEqualTo(1);
    }
  }

  @Test
  void thatJobIsNoSuccessWhereMpirunDoesNotEndEither() throws Exception {
    try (AbortWatch watch = watch(0)) {
      leave(0);
      assertThat(watch.verdict().get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(1);
    }
  }

  @Test
  void eightBitsOfAnExitCodeCount() throws IOException {
    try (AbortWatch watch = watch(PATIENCE_SECONDS)) {
      leave(300);
      assertThat(watch.judge(0)).isEqualTo(300 % 256);
    }
  }
}
