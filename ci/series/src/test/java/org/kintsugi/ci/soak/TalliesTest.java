// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.soak;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What a series objects to in what it has counted. */
class TalliesTest {
  private static final String MPI_INIT = "the kill came inside MPI_Init";

  private final Tallies tallies = new Tallies();

  private void right(String cell, int jobs) {
    for (int job = 0; job < jobs; job++) {
      tallies.count(cell, tally -> tally.right(2, 0));
    }
  }

  @Test
  void aSeriesWithoutAJobShowsNothing() {
    assertThat(tallies.objection()).isEqualTo("no job ran");
    assertThat(tallies.closed()).isEqualTo(1);
  }

  @Test
  void aSeriesWithoutAFailureShowsNothing() {
    tallies.count("cell", tally -> tally.right(0, 1));
    assertThat(tallies.objection()).isEqualTo("no death struck");
  }

  @Test
  void allWell() {
    right("cell", 2);
    assertThat(tallies.objection()).isEmpty();
    assertThat(tallies.closed()).isZero();
  }

  @Test
  void aJobThatIsBadIsOneTooMany() {
    right("cell", 100);
    tallies.count("cell", tally -> tally.bad("a recovery timed out"));
    assertThat(tallies.objection()).isEqualTo("1 jobs bad");
  }

  @Test
  void aCellThatFailsIsNotLostInTheWhole() {
    right("large", 100);
    for (int job = 0; job < 2; job++) {
      tallies.count("small", tally -> tally.rightWhenStartedAgain(MPI_INIT, 2));
    }
    assertThat(tallies.objection()).isEqualTo("small: 2 of 2 jobs abandoned: more than 15 percent");
  }

  @Test
  void aCellOfLateDeathsIsNotLostInTheWhole() {
    right("large", 100);
    tallies.count("small", tally -> tally.right(0, 2));
    assertThat(tallies.objection()).startsWith("small: 2 of 2 deaths came too late");
  }

  @Test
  void aCellOfWhichNoJobWasRightFailsHoweverSmallItIs() {
    right("large", 100);
    tallies.count("small", tally -> tally.abandoned(MPI_INIT, 2));
    assertThat(tallies.objection()).isEqualTo("small: no job was right");
  }

  @Test
  void aSmallCellMayHaveOne() {
    right("large", 100);
    right("small", 1);
    tallies.count("small", tally -> tally.rightWhenStartedAgain(MPI_INIT, 2));
    tallies.count("small", tally -> tally.right(1, 1));
    assertThat(tallies.objection()).isEmpty();
  }

  @Test
  void notEverySmallCellMayHaveOne() {
    for (String cell : new String[] {"one", "two", "three"}) {
      right(cell, 2);
      tallies.count(cell, tally -> tally.rightWhenStartedAgain(MPI_INIT, 2));
    }
    assertThat(tallies.objection()).isEqualTo("3 of 9 jobs abandoned: more than 15 percent");
  }
}
