// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.launch.internal.job.RunningJob;
import org.kintsugi.launch.spec.LaunchException;

/** The guard, without any job. */
class GuardTest {
  @Test
  void whereMpirunCannotBeStartedItGoesAtOnce(@TempDir Path folder) {
    Path mpirun = folder.resolve("mpirun");
    long begin = System.nanoTime();
    RunningJob job = new RunningJob(System.err);
    try {
      job.makeFolders();
      assertThatThrownBy(() -> job.start(new ProcessBuilder(mpirun.toString()))).isInstanceOf(LaunchException.class)
          .hasMessageContaining("cannot start " + mpirun);
    } finally {
      job.close();
    }
    assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin)).isLessThan(20_000);
  }
}
