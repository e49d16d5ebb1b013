// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TenureTest {
  @Test
  void aLaterEpochOfTheSameJobSucceeds() {
    Tenure second = new Tenure("job", 2);
    assertThat(second.succeeds(new Tenure("job", 1))).isTrue();
    assertThat(second.succeeds(new Tenure("job", 2))).isFalse();
    assertThat(second.succeeds(new Tenure("job", 3))).isFalse();
    assertThat(second.succeeds(new Tenure("other", 1))).isFalse();
    assertThat(second.succeeds(null)).isFalse();
  }

  @Test
  void whatIsWrittenIsRead() {
    assertThat(Tenure.parse(new Tenure("prterun-n0-77", 12).text())).isEqualTo(new Tenure("prterun-n0-77", 12));
  }

  @Test
  void whatIsNotWholeIsNothing() {
    assertThat(Tenure.parse("")).isNull();
    assertThat(Tenure.parse("prterun-n0-77 1")).isNull();
    assertThat(Tenure.parse("prterun-n0-77 x\n")).isNull();
  }

  @Test
  void theSpawnedAreOfTheJobOfTheirParents() {
    assertThat(Tenure.jobOf("prterun-n0-77@2")).isEqualTo(Tenure.jobOf("prterun-n0-77@1")).isEqualTo("prterun-n0-77");
    assertThat(Tenure.jobOf("1234567")).isEqualTo("1234567");
    assertThat(Tenure.jobOf(null)).contains(String.valueOf(ProcessHandle.current().pid()));
  }
}
