// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SpawnedJobTest {
  @Test
  void whatMpirunStartsFirstIsNone() {
    assertThat(SpawnedJob.is("prterun-n0-77@1", false)).isFalse();
    assertThat(SpawnedJob.is("prterun-n0-77@2", false)).isTrue();
    assertThat(SpawnedJob.is("prterun-n0-77@11", false)).isTrue();
  }

  @Test
  void whatARecoveryStartsIsOfTheRun() {
    assertThat(SpawnedJob.is("prterun-n0-77@2", true)).isFalse();
  }

  @Test
  void otherLaunchersDoNotTell() {
    assertThat(SpawnedJob.is(null, false)).isFalse();
    assertThat(SpawnedJob.is("prte-n0-77@2", false)).isFalse();
    assertThat(SpawnedJob.is("slurm.pmix.1234.0", false)).isFalse();
  }
}
