// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.soak;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Series judge themselves by this: a limit that does not hold would make each of them a success. */
class TallyTest {
  private final Tally tally = new Tally();

  private void right(int jobs) {
    for (int job = 0; job < jobs; job++) {
      tally.right(1, 0);
    }
  }

  @Test
  void whereNothingRanNothingIsShown() {
    assertThat(tally.objection()).isEqualTo("no job ran");
  }

  @Test
  void rightJobsAreNoObjection() {
    right(3);
    assertThat(tally.objection()).isEmpty();
  }

  @Test
  void aSingleBadJobIsOne() {
    right(1000);
    tally.bad();
    assertThat(tally.objection()).isEqualTo("1 jobs bad");
    tally.bad("hung");
    assertThat(tally.objection()).isEqualTo("2 jobs bad");
  }

  @Test
  void aSingleJobMayBeAbandonedButNotAll() {
    tally.abandoned("kills overlapped", 2);
    assertThat(tally.objection()).isEqualTo("no job was right");
    right(1);
    assertThat(tally.objection()).isEmpty();
  }

  @Test
  void moreJobsMayBeAbandonedUpToTheLimit() {
    right(17);
    for (int job = 0; job < 3; job++) {
      tally.abandoned("kills overlapped", 2);
    }
    assertThat(tally.objection()).as("15 percent").isEmpty();
    tally.abandoned("kills overlapped", 2);
    assertThat(tally.objection()).isEqualTo("4 of 21 jobs abandoned: more than 15 percent");
  }

  /** Its second attempt is right, and its first one was abandoned. */
  @Test
  void aJobThatWasStartedAgainCountsForBoth() {
    right(8);
    tally.rightWhenStartedAgain("the kill came inside MPI_Init", 1);
    assertThat(tally.objection()).isEmpty();
    tally.rightWhenStartedAgain("the kill came inside MPI_Init", 1);
    assertThat(tally.objection()).isEqualTo("2 of 10 jobs abandoned: more than 15 percent");
    assertThat(tally).hasToString("10 jobs: 10 right, of which started again 2 (2: the kill came inside MPI_Init), 0 abandoned, "
        + "0 bad; deaths: 8 struck, 0 came too late, 2 were to come in abandoned jobs");
  }

  @Test
  void deathsMayComeTooLateToTheLimit() {
    tally.right(0, 1);
    assertThat(tally.objection()).as("a single one").isEmpty();
    right(7);
    tally.right(0, 2);
    assertThat(tally.objection()).as("30 percent").isEmpty();
    tally.right(0, 1);
    assertThat(tally.objection()).isEqualTo("4 of 11 deaths came too late: more than 30 percent");
  }

  @Test
  void eachJobAndEachDeathIsCountedOnceAndReasonsAreNamed() {
    tally.right(2, 1);
    tally.abandoned("kills overlapped", 2);
    tally.abandoned("the kill came inside MPI_Init", 1);
    tally.abandoned("kills overlapped", 2);
    tally.bad("hung");
    tally.bad();
    assertThat(tally).hasToString("6 jobs: 1 right, 3 abandoned (2: kills overlapped, 1: the kill came inside MPI_Init), "
        + "2 bad (1: hung); deaths: 2 struck, 1 came too late, 5 were to come in abandoned jobs");
  }
}
