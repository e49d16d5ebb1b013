// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The order of versions, and the versions that a run keeps. */
class VersionTest {
  private static final Attempt FIRST = new Attempt(7, 1, 100);
  private static final Attempt SECOND = new Attempt(7, 2, 200);
  private static final Attempt OTHER_RUN = new Attempt(8, 1, 300);

  @Test
  void thatOfTheLaterAttemptIsNewerWhateverItsNumber() {
    assertThat(new Version(SECOND, 1)).isGreaterThan(new Version(FIRST, 12)).isGreaterThan(new Version(OTHER_RUN, 12));
    assertThat(new Version(FIRST, 2)).isGreaterThan(new Version(FIRST, 1)).isGreaterThan(Version.NONE);
  }

  @Test
  void theSameNumberOfAnotherAttemptIsAnotherVersion() {
    assertThat(new Version(FIRST, 3)).isNotEqualTo(new Version(SECOND, 3))
        .isNotEqualTo(new Version(new Attempt(7, 1, 101), 3));
  }

  @Test
  void aRunKeepsItsOwnThatAreNotNewer() {
    Version resumed = new Version(SECOND, 5);
    assertThat(new Version(FIRST, 9).isKeptWith(resumed)).isTrue();
    assertThat(resumed.isKeptWith(resumed)).isTrue();
    assertThat(new Version(SECOND, 6).isKeptWith(resumed)).isFalse();
    assertThat(new Version(OTHER_RUN, 4).isKeptWith(resumed)).isFalse();
    assertThat(resumed.isKeptWith(Version.NONE)).isFalse();
    assertThat(Version.NONE.isKeptWith(Version.NONE)).isFalse();
  }

  @Test
  void comesBackFromItsWords() {
    long[] words = new long[2 + Version.WORDS];
    System.arraycopy(new Version(SECOND, 5).words(), 0, words, 2, Version.WORDS);
    assertThat(Version.of(words, 2)).isEqualTo(new Version(SECOND, 5));
  }
}
