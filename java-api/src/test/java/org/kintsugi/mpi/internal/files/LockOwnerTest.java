// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.files;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LockOwnerTest {
  @Test
  void aLaterEpochOfTheSameJobSucceeds() {
    LockOwner second = new LockOwner("job", 2, false);
    assertThat(second.succeeds(new LockOwner("job", 1, false))).isTrue();
    assertThat(second.succeeds(new LockOwner("job", 2, false))).isFalse();
    assertThat(second.succeeds(new LockOwner("job", 3, false))).isFalse();
    assertThat(second.succeeds(new LockOwner("other", 1, false))).isFalse();
    assertThat(second.succeeds(null)).isFalse();
  }

  @Test
  void whatIsWrittenIsRead() {
    assertThat(LockOwner.parse(new LockOwner("prterun-n0-77", 12, false).text()))
        .isEqualTo(new LockOwner("prterun-n0-77", 12, false));
  }

  @Test
  void whatIsSharedIsReadAsThat() {
    LockOwner shared = new LockOwner("prterun-n0-77", 12, true);
    assertThat(LockOwner.parse(shared.text() + "\0\0")).isEqualTo(shared);
    assertThat(shared.shared(false)).isEqualTo(new LockOwner("prterun-n0-77", 12, false));
  }

  @Test
  void whatIsNotWholeIsNothing() {
    assertThat(LockOwner.parse("")).isNull();
    assertThat(LockOwner.parse("prterun-n0-77 1 alone")).isNull();
    assertThat(LockOwner.parse("prterun-n0-77 x alone\n")).isNull();
  }

  @Test
  void theSpawnedAreOfTheJobOfTheirParents() {
    assertThat(LockOwner.jobOf("prterun-n0-77@2")).isEqualTo(LockOwner.jobOf("prterun-n0-77@1")).isEqualTo("prterun-n0-77");
    assertThat(LockOwner.jobOf("prte-n0-77@2")).as("of a daemon that stays").isNotEqualTo(LockOwner.jobOf("prte-n0-77@1"));
    assertThat(LockOwner.jobOf("1234567")).isEqualTo("1234567");
    assertThat(LockOwner.jobOf(null)).contains(String.valueOf(ProcessHandle.current().pid()));
  }

  /** The runtime names a job by host and process id, and in containers both may be the same. */
  @Test
  void jobsOfTheSameNameAreTwo() {
    LockOwner named = new LockOwner("prterun-n0-77", 2, false, "name:a");
    assertThat(named.succeeds(new LockOwner("prterun-n0-77", 1, false, "name:a"))).isTrue();
    assertThat(named.succeeds(new LockOwner("prterun-n0-77", 1, false, "name:b"))).isFalse();
    assertThat(named.succeeds(new LockOwner("prterun-n0-78", 1, false, "name:a"))).isFalse();
    assertThat(named.succeeds(new LockOwner("prterun-n0-77", 1, false))).isTrue();
    LockOwner placed = new LockOwner("prterun-n0-77", 2, false, "place:boot:pid:[1]");
    assertThat(placed.succeeds(new LockOwner("prterun-n0-77", 1, false, "place:boot:pid:[1]"))).isTrue();
    assertThat(placed.succeeds(new LockOwner("prterun-n0-77", 1, false, "place:boot:pid:[2]"))).isFalse();
    assertThat(placed.succeeds(new LockOwner("prterun-n0-77", 1, false, "place:other:pid:[1]"))).as("on another host").isTrue();
    assertThat(placed.succeeds(named)).isFalse();
    assertThat(LockOwner.parse(placed.text())).isEqualTo(placed);
    assertThat(LockOwner.now().mark()).matches("place:[0-9a-f-]+:pid:\\[\\d+]");
  }
}
