// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.redundancy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TenureTest {
  @Test
  void aLaterEpochOfTheSameJobSucceeds() {
    Tenure second = new Tenure("job", 2, false);
    assertThat(second.succeeds(new Tenure("job", 1, false))).isTrue();
    assertThat(second.succeeds(new Tenure("job", 2, false))).isFalse();
    assertThat(second.succeeds(new Tenure("job", 3, false))).isFalse();
    assertThat(second.succeeds(new Tenure("other", 1, false))).isFalse();
    assertThat(second.succeeds(null)).isFalse();
  }

  @Test
  void whatIsWrittenIsRead() {
    assertThat(Tenure.parse(new Tenure("prterun-n0-77", 12, false).text())).isEqualTo(new Tenure("prterun-n0-77", 12, false));
  }

  @Test
  void whatIsSharedIsReadAsThat() {
    Tenure shared = new Tenure("prterun-n0-77", 12, true);
    assertThat(Tenure.parse(shared.text() + "\0\0")).isEqualTo(shared);
    assertThat(shared.shared(false)).isEqualTo(new Tenure("prterun-n0-77", 12, false));
  }

  @Test
  void whatIsNotWholeIsNothing() {
    assertThat(Tenure.parse("")).isNull();
    assertThat(Tenure.parse("prterun-n0-77 1 alone")).isNull();
    assertThat(Tenure.parse("prterun-n0-77 x alone\n")).isNull();
  }

  @Test
  void theSpawnedAreOfTheJobOfTheirParents() {
    assertThat(Tenure.jobOf("prterun-n0-77@2")).isEqualTo(Tenure.jobOf("prterun-n0-77@1")).isEqualTo("prterun-n0-77");
    assertThat(Tenure.jobOf("prte-n0-77@2")).as("of a daemon that stays").isNotEqualTo(Tenure.jobOf("prte-n0-77@1"));
    assertThat(Tenure.jobOf("1234567")).isEqualTo("1234567");
    assertThat(Tenure.jobOf(null)).contains(String.valueOf(ProcessHandle.current().pid()));
  }

  /** The runtime names a job by host and process id, and in containers both may be the same. */
  @Test
  void jobsOfTheSameNameAreTwo() {
    Tenure named = new Tenure("prterun-n0-77", 2, false, "name:a");
    assertThat(named.succeeds(new Tenure("prterun-n0-77", 1, false, "name:a"))).isTrue();
    assertThat(named.succeeds(new Tenure("prterun-n0-77", 1, false, "name:b"))).isFalse();
    assertThat(named.succeeds(new Tenure("prterun-n0-78", 1, false, "name:a"))).isFalse();
    assertThat(named.succeeds(new Tenure("prterun-n0-77", 1, false))).isTrue();
    Tenure placed = new Tenure("prterun-n0-77", 2, false, "place:boot:pid:[1]");
    assertThat(placed.succeeds(new Tenure("prterun-n0-77", 1, false, "place:boot:pid:[1]"))).isTrue();
    assertThat(placed.succeeds(new Tenure("prterun-n0-77", 1, false, "place:boot:pid:[2]"))).isFalse();
    assertThat(placed.succeeds(new Tenure("prterun-n0-77", 1, false, "place:other:pid:[1]"))).as("on another host").isTrue();
    assertThat(placed.succeeds(named)).isFalse();
    assertThat(Tenure.parse(placed.text())).isEqualTo(placed);
    assertThat(Tenure.now().mark()).matches("place:[0-9a-f-]+:pid:\\[\\d+]");
  }
}
