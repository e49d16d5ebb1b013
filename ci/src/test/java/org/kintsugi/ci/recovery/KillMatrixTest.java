// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kintsugi.ci.soak.RandomKills;
import org.kintsugi.ci.soak.Tally;
import org.kintsugi.launch.Job;
import org.kintsugi.runtime.ExitCodes;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.RankJob;

/**
 * Processes die by SIGKILL at every important moment. Judged are the end of the job in time, its exit code, the survivors, and
 * the value of every rank, which must be that of an undisturbed run.
 */
@Tag("flavours")
class KillMatrixTest {
  private static final int RANKS = 4;
  private static final int TIMEOUT_SECONDS = 90;
  /** The fork takes seconds to start a process anew on a busy machine. */
  private static final int RECOVERY_SECONDS = 25;
  /** A wait for processes that in most of these cases never come. */
  private static final int SPAWN_SECONDS = 10;
  private static final int PAGE_BYTES = 4096;
  private static final String SPARES = "the Reinit++ runtime starts new processes, there are no spares to run out of";

  /** Said by a job of the fork that gives them up: the second one may also find the first one's replacement in MPI_Init. */
  private static final String[] OVERLAP_MESSAGES =
      Stream.concat(RandomKills.OVERLAP_MESSAGES.stream(), Stream.of("before all were through MPI_Init")).toArray(String[]::new);

  private static final Tally TALLY = new Tally();
  /** Two deaths that overlap: the fork gives up most of those, so that there is nothing to be held to. */
  private static final Tally OVERLAPS = new Tally();

  /** None of the first kind may be given up: each test of it asserts success. */
  @AfterAll
  static void tellHowManyWereGivenUp() {
    System.out.println("KillMatrixTest, " + RankJob.flavour() + ": " + TALLY);
    System.out.println("KillMatrixTest, " + RankJob.flavour() + ", two deaths that overlap: " + OVERLAPS);
  }

  private static RankJob.Outcome run(int spares, String moment, String policy, Object... victims) {
    return job(spares).run(Scenario.class, arguments(moment, policy, victims));
  }

  private static String[] arguments(String moments, String policy, Object... victims) {
    return Stream.concat(Stream.of(moments, policy), Stream.of(victims).map(Object::toString)).toArray(String[]::new);
  }

  private static RankJob job(int spares) {
    return RankJob.of(RANKS, spares).timeoutSeconds(TIMEOUT_SECONDS)
        .jvm("-Dkintsugi.recovery.timeout.seconds=" + RECOVERY_SECONDS);
  }

  /** Every rank is there, with the right sum and so many recoveries behind it. */
  private static void assertAllRanks(RankJob.Outcome outcome, int ranks, int recoveries) {
    outcome.assertSuccess();
    String expected = Scenario.expected(ranks) + " " + recoveries + " false";
    assertThat(outcome.reports()).as(outcome.output()).hasSize(ranks);
    for (int rank = 0; rank < ranks; rank++) {
      assertThat(outcome.reports()).containsEntry(String.valueOf(rank), expected);
    }
    TALLY.right(recoveries, 0);
  }

  /** Asserts that these have said that they die. @return the outcome without that */
  private static RankJob.Outcome withDeaths(RankJob.Outcome outcome, int... victims) {
    Map<String, String> reports = new TreeMap<>(outcome.reports());
    for (int victim : victims) {
      assertThat(reports.remove(Scenario.DIES + victim)).as("%d dies: %s", victim, outcome.output()).isNotNull();
    }
    return new RankJob.Outcome(outcome.exitCode(), outcome.output(), reports);
  }

  /** All ranks have the right sum, and those that never died have seen these deaths, in any number of recoveries. */
  private static void assertAllHaveSeen(RankJob.Outcome outcome, Integer... deaths) {
    outcome.assertSuccess();
    assertThat(outcome.reports().values()).as(outcome.output()).hasSize(RANKS)
        .allSatisfy(report -> assertThat(report).startsWith(Scenario.expected(RANKS) + " ").endsWith(" false"));
    List<Integer> dead = Stream.of(deaths).sorted().toList();
    for (int rank = 0; rank < RANKS; rank++) {
      if (!dead.contains(rank)) {
        assertThat(outcome.output()).contains(Scenario.deaths(rank, dead));
      }
    }
  }

  @Test
  void nobodyDies() {
    assertAllRanks(run(1, "none", "RESTART"), RANKS, 0);
  }

  /**
   * One job for all moments, with spares that are replaced each time one is used: each death is a trial of its own. With four
   * spares all victims but the last are processes that the job has begun with.
   */
  @Test
  void oneAfterAnotherDies() {
    List<String> moments = List.of("before-collective", "in-collective", "after-collective", "in-receive", "in-wait",
        "in-other-communicator", "computing", "in-save");
    List<Integer> victims = List.of(0, 1, 3, 0, 1, 3, 0, 1);
    RankJob.Outcome outcome = job(RANKS).maxRespawns(moments.size()).timeoutSeconds(2 * TIMEOUT_SECONDS)
        .run(Scenario.class, arguments(String.join(",", moments), "RESTART", victims.toArray())).assertSuccess();
    int survivor = 2;
    assertThat(outcome.reports()).hasSize(RANKS)
        .containsEntry(String.valueOf(survivor), Scenario.expected(RANKS) + " " + moments.size() + " false");
    assertThat(outcome.reports().values())
        .allSatisfy(report -> assertThat(report).startsWith(Scenario.expected(RANKS) + " ").endsWith(" false"));
    assertThat(outcome.output()).contains(Scenario.deaths(survivor, victims.stream().sorted().toList()));
    moments.forEach(moment -> TALLY.right(1, 0));
  }

  /** Each in a job of its own. */
  @Tag("series")
  @ParameterizedTest(name = "{0}, victim {1}")
  @CsvSource({
      "before-collective,0", "before-collective,2", "before-collective,3",
      "in-collective,0", "in-collective,1", "in-collective,3",
      "after-collective,0", "after-collective,2", "after-collective,3",
      "in-receive,0", "in-receive,1", "in-receive,3",
      "in-wait,0", "in-wait,1", "in-wait,3",
      "in-other-communicator,0", "in-other-communicator,1", "in-other-communicator,3",
      "computing,0", "computing,2", "computing,3",
      "in-save,0", "in-save,2", "in-save,3",
  })
  void oneDies(String moment, int victim) {
    assertAllRanks(run(1, moment, "RESTART", victim), RANKS, 1);
  }

  /**
   * Two deaths that overlap: both are mended. The runtime of the fork hangs at most of them, and the job then ends with the code
   * for a restart: 23 of 30 where two died at once, 30 of 30 where the second one died inside the recovery.
   */
  private static void assertBothAreMended(String moment, int... victims) {
    RankJob.Outcome outcome = withDeaths(run(2, moment, "RESTART", victims[0], victims[1]), victims);
    if (RankJob.flavour() == Flavour.REINIT && outcome.exitCode() == ExitCodes.RESTART) {
      OVERLAPS.givenUp("two deaths, " + moment, victims.length);
      assertThat(outcome.output()).containsAnyOf(OVERLAP_MESSAGES)
          .doesNotContain("*** Process received signal ***");
      return;
    }
    assertAllHaveSeen(outcome, IntStream.of(victims).boxed().toArray(Integer[]::new));
    OVERLAPS.right(victims.length, 0);
  }

  @Test
  void twoDieAtOnce() {
    assertBothAreMended("at-once", 1, 2);
  }

  @Test
  void oneDiesInsideTheRecoveryOfAnother() {
    assertBothAreMended("in-recovery", 2, 0);
  }

  @Test
  void oneDiesBeforeItReachesTheRestartPoint() {
    assertAllRanks(withDeaths(run(1, "before-run", "RESTART", 1), 1), RANKS, 0);
  }

  /** Not dead, only away: nobody takes its place. */
  @Tag("series") // and one dies meanwhile, below
  @Test
  void oneIsStoppedAndGoesOn() {
    assertAllRanks(run(1, "stopped", "RESTART", 2), RANKS, 0);
  }

  @Test
  void oneDiesWhileAnotherIsStopped() {
    assertAllRanks(run(1, "stopped", "RESTART", 2, 3), RANKS, 1);
  }

  @Test
  void aSpareDiesAndIsNotMissed() {
    RankJob.assumeFlavour(Flavour.ULFM, SPARES);
    assertAllHaveSeen(withDeaths(run(1, "spare", "RESTART", RANKS), RANKS));
  }

  /** The same rank twice: a spare that has become a rank is mended as the first processes are. */
  @Test
  void processAfterProcessUntilTheSparesRunOut() {
    RankJob.assumeFlavour(Flavour.ULFM, SPARES);
    RankJob.Outcome outcome = job(2).refill(false)
        .run(Scenario.class, arguments("before-collective,before-collective,before-collective", "RESTART", 2, 2, 0));
    assertThat(outcome.output()).as("the first two are mended").contains("rank(s) [0] died, and there are not enough spares");
    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(ExitCodes.RESTART);
    assertThat(outcome.reports()).isEmpty();
  }

  /** And a kill of a rank that it lacks then is no success: no recovery from it has been seen. */
  @Test
  void withoutSparesTheWorldShrinks() {
    RankJob.assumeFlavour(Flavour.ULFM, SPARES);
    RankJob.Outcome outcome = job(0).kill("process:3@1000").run(Scenario.class, arguments("before-collective", "SHRINK", 1));
    assertThat(outcome.exitCode()).as(outcome.output()).isZero();
    assertThatThrownBy(outcome::assertSuccess).hasMessageContaining("an injected kill never struck");
    assertThat(outcome.reports().keySet()).containsExactlyElementsOf(List.of("0", "1", "2"));
    assertThat(outcome.reports().values()).containsOnly(Scenario.expected(RANKS - 1) + " 1 true");
    assertThat(outcome.output()).containsOnlyOnce("process:3@1000 never struck: the run has shrunk, and ended without a rank 3");
  }

  @Test
  void withoutSparesNewProcessesAreSpawned() {
    RankJob.assumeFlavour(Flavour.ULFM, SPARES);
    // By a command line that is longer than a page of memory, as class paths are; with no slot but the ranks', as in allocations.
    RankJob.Outcome outcome = RankJob.of(RANKS, 0).timeoutSeconds(TIMEOUT_SECONDS).jvm("-Dlong=" + "x".repeat(PAGE_BYTES))
        .mpirun("--host", "localhost:" + RANKS, "--bind-to", "none")
        .run(Scenario.class, "before-collective", "SPAWN", "1");
    assertAllHaveSeen(outcome, 1);
  }

  /** Nobody but the survivors knows that the first of the two has happened. For mpirun, who dies second is a job of its own. */
  @Test
  void aSpawnedProcessKnowsOfWhatItsPredecessorsDiedOf() {
    RankJob.assumeFlavour(Flavour.ULFM, SPARES);
    RankJob.Outcome outcome = RankJob.of(RANKS, 0).timeoutSeconds(TIMEOUT_SECONDS).kill("process:2@20").kill("process:2@40")
        .run(Scenario.class, "none", "SPAWN");
    assertAllHaveSeen(outcome, 2, 2);
    assertThat(outcome.output()).doesNotContain("prterun noticed");
  }

  @Test
  void withoutRefillingTheyAreSpawnedByAllTogether() {
    RankJob.assumeFlavour(Flavour.ULFM, SPARES);
    assertAllHaveSeen(job(0).refill(false).run(Scenario.class, "before-collective", "SPAWN", "1"), 1);
  }

  /** By MPI_Comm_spawn, as in MATCH: the new process has parents then. */
  @Test
  void theyMayBeSpawnedByAllTogether() {
    RankJob.assumeFlavour(Flavour.ULFM, SPARES);
    RankJob.Outcome outcome = run(0, "before-collective", "SPAWN_TOGETHER", 1);
    assertThat(outcome.output()).contains(Scenario.HAS_PARENTS);
    assertAllHaveSeen(outcome, 1);
  }

  @Test
  void whoDiesBeforeItReachesTheRestartPointIsReplacedByANewProcess() {
    RankJob.assumeFlavour(Flavour.ULFM, SPARES);
    assertAllRanks(withDeaths(run(0, "before-run", "SPAWN", 1), 1), RANKS, 0);
  }

  /** Open MPI's spawning, and its launcher, may hang by that or crash; then the job ends, in time. */
  @Tag("series")
  @Test
  void oneDiesWhileAProcessIsSpawnedForAnother() {
    RankJob.assumeFlavour(Flavour.ULFM, SPARES);
    RankJob.Outcome outcome = RankJob.of(RANKS, 0).timeoutSeconds(TIMEOUT_SECONDS)
        .jvm("-Dkintsugi.recovery.timeout.seconds=" + SPAWN_SECONDS).refill(false)
        .run(Scenario.class, "while-spawning", "SPAWN", "1", "2");
    assertThat(outcome.exitCode()).as(outcome.output()).isNotEqualTo(Job.TIMED_OUT);
    if (outcome.reports().isEmpty()) {
      assertThat(outcome.exitCode()).as(outcome.output()).isNotZero();
    } else {
      assertAllHaveSeen(outcome, 1, 2);
    }
  }
}
