// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.test.RankJob;

/** Calls that a beginner makes inside a body and must not: they are refused by name, where they would wait for ever. */
@Tag("flavours")
class WrongCallsTest {
  private static final int RANKS = 3;
  private static final int LIMIT_SECONDS = 60;

  /** Runs in the ranks: the job's world in the body. */
  static final class UsesTheJobsWorld {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Reinit.run(mpi, run -> {
          assertNeitherRankNorSize(mpi.world());
          mpi.world().barrier();
        });
      }
    }
  }

  /** Runs in the ranks: a communicator that was made from the job's world before the run. */
  static final class UsesWhatWasMadeBefore {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Comm made = mpi.world().dup();
        Reinit.run(mpi, run -> {
          assertNeitherRankNorSize(made);
          made.allReduce(1, Op.SUM);
        });
      }
    }
  }

  /** Runs in the ranks: a run in the body of another one. */
  static final class RunsInARun {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Reinit.run(mpi, run -> Reinit.run(mpi, inner -> inner.world().barrier()));
      }
    }
  }

  /** Runs in the ranks: right calls before a run, inside of it, and after it. */
  static final class UsesEachInItsPlace {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Comm made = mpi.world().dup();
        Comm[] worlds = {null}; // a spare has none
        Reinit.run(mpi, run -> {
          for (int i = 0; i < 10; i++) {
            run.iteration(i);
            assertThat(run.world().allReduce(1, Op.SUM)).isEqualTo(RANKS);
            assertThat(mpi.self().allReduce(7, Op.SUM)).isEqualTo(7);
          }
          assertThat(mpi.self().size()).isEqualTo(1);
          worlds[0] = run.world();
        });
        assertThat(worlds[0] == null ? RANKS : worlds[0].size()).as("of an epoch that has ended").isEqualTo(RANKS);
        assertThat(made.isClosed()).isFalse();
        RankJob.report(args[0], String.valueOf(mpi.world().rank()), String.valueOf(mpi.world().allReduce(1, Op.SUM)));
        made.close();
      }
    }
  }

  /** Work that is divided by them leaves out what the spares would do. Messages of the program may still name it. */
  private static void assertNeitherRankNorSize(Comm ofTheJob) {
    assertThatThrownBy(ofTheJob::rank).isInstanceOf(IllegalStateException.class).hasMessageContaining("use run.world()");
    assertThatThrownBy(ofTheJob::size).isInstanceOf(IllegalStateException.class).hasMessageContaining("use run.world()");
    assertThat(ofTheJob.toString()).startsWith("Comm[rank ");
  }

  private static void assertRefused(Class<?> program, String... words) {
    RankJob.Outcome outcome = RankJob.of(RANKS, 1).timeoutSeconds(LIMIT_SECONDS).run(program);
    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(1);
    assertThat(outcome.output()).contains(words).contains(program.getSimpleName() + ".");
  }

  @Test
  void theJobsWorldIsRefusedInABody() {
    assertRefused(UsesTheJobsWorld.class, "communicator of the MPI job", "use run.world()");
  }

  @Test
  void whatWasMadeOfTheJobsWorldIsRefusedInABody() {
    assertRefused(UsesWhatWasMadeBefore.class, "communicator of the MPI job", "use run.world()");
  }

  @Test
  void aRunIsRefusedInTheBodyOfAnother() {
    assertRefused(RunsInARun.class, "a Reinit run is open in this process", "let the first one end");
  }

  @Test
  void whatIsRightInItsPlaceIsNotRefused() {
    // No process has failed: after the run the job's world works as before, with ULFM's spare.
    RankJob.Outcome outcome = RankJob.of(RANKS, 1).timeoutSeconds(LIMIT_SECONDS).run(UsesEachInItsPlace.class).assertSuccess();
    assertThat(outcome.reports()).as(outcome.output()).hasSizeGreaterThanOrEqualTo(RANKS);
    assertThat(outcome.reports().values()).containsOnly(String.valueOf(outcome.reports().size()));
  }
}
