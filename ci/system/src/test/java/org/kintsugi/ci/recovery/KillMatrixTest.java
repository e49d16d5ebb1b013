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
 * Processes die by SIGKILL at every important moment.
 *
 * <p>Each job must end in time, with the right exit code and the right survivors, and each rank
 * must have the value of an undisturbed run.
 */
@Tag("flavours")
class KillMatrixTest {
  private static final int RANKS = 4;
  private static final int TIMEOUT_SECONDS = 90;
  /** The fork takes seconds to start a new process on a busy machine. */
  private static final int RECOVERY_SECONDS = 25;
  /** The limit of a wait for new processes. In most of these cases none comes. */
  private static final int SPAWN_SECONDS = 10;
  private static final int PAGE_BYTES = 4096;
  private static final String SPARES = "the Reinit++ runtime starts new processes, there are no spares to run out of";

  /**
   * The messages of a job on the fork that two overlapping failures end.
   *
   * <p>The second one may come while the first one's replacement is still in MPI_Init.
   */
  private static final String[] OVERLAP_MESSAGES =
      Stream.concat(RandomKills.OVERLAP_MESSAGES.stream(), Stream.of("before all were through MPI_Init")).toArray(String[]::new);

  private static final Tally TALLY = new Tally();
  /** Jobs with two failures that overlap. The fork abandons most of them, so there is no limit. */
  private static final Tally OVERLAPS = new Tally();

  /** Prints both tallies. No job of the first may be abandoned, as its tests assert success. */
  @AfterAll
  static void tellHowManyWereAbandoned() {
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

  /** Asserts that all ranks have reported, with the right sum and this number of recoveries. */
  private static void assertAllRanks(RankJob.Outcome outcome, int ranks, int recoveries) {
    outcome.assertSuccess();
    String expected = Scenario.expected(ranks) + " " + recoveries + " false";
    assertThat(outcome.reports()).as(outcome.output()).hasSize(ranks);
    for (int rank = 0; rank < ranks; rank++) {
      assertThat(outcome.reports()).containsEntry(String.valueOf(rank), expected);
    }
    TALLY.right(recoveries, 0);
  }

  /**
   * Asserts that these ranks have reported that they die.
   *
   * @return the outcome without these reports
   */
  private static RankJob.Outcome withFailures(RankJob.Outcome outcome, int... victims) {
    Map<String, String> reports = new TreeMap<>(outcome.reports());
    for (int victim : victims) {
      assertThat(reports.remove(Scenario.DIES + victim)).as("%d dies: %s", victim, outcome.output()).isNotNull();
    }
    return new RankJob.Outcome(outcome.exitCode(), outcome.output(), reports);
  }

  /**
   * Asserts that all ranks have the right sum.
   *
   * <p>The ranks that never died must have seen these deaths, in any number of recoveries.
   */
  private static void assertAllHaveSeen(RankJob.Outcome outcome, Integer... deaths) {
    outcome.assertSuccess();
    assertThat(outcome.reports().values()).as(outcome.output()).hasSize(RANKS)
        .allSatisfy(report -> assertThat(report).startsWith(Scenario.expected(RANKS) + " ").endsWith(" false"));
    List<Integer> dead = Stream.of(deaths).sorted().toList();
    for (int rank = 0; rank < RANKS; rank++) {
      if (!dead.contains(rank)) {
        assertThat(outcome.output()).contains(Scenario.listOfFailures(rank, dead));
      }
    }
  }

  @Test
  void nobodyDies() {
    assertAllRanks(run(1, "none", "RESTART"), RANKS, 0);
  }

  /**
   * One job for all moments, in which each spare that is used is replaced.
   *
   * <p>With four spares, all victims but the last are processes that the job was started with.
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
    assertThat(outcome.output()).contains(Scenario.listOfFailures(survivor, victims.stream().sorted().toList()));
    moments.forEach(moment -> TALLY.right(1, 0));
  }

  /** The same moments, each in a job of its own. */
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
   * Asserts that the job recovers from two failures that overlap.
   *
   * <p>On the fork most such jobs hang in the runtime, and then end with the code for a restart: 23
   * of 30 when two ranks died at once, 30 of 30 when the second one died inside the recovery.
   */
  private static void assertBothAreRecovered(String moment, int... victims) {
    RankJob.Outcome outcome = withFailures(run(2, moment, "RESTART", victims[0], victims[1]), victims);
    if (RankJob.flavour() == Flavour.REINIT && outcome.exitCode() == ExitCodes.RESTART) {
      OVERLAPS.abandoned("two deaths, " + moment, victims.length);
      assertThat(outcome.output()).containsAnyOf(OVERLAP_MESSAGES)
          .doesNotContain("*** Process received signal ***");
      return;
    }
    assertAllHaveSeen(outcome, IntStream.of(victims).boxed().toArray(Integer[]::new));
    OVERLAPS.right(victims.length, 0);
  }

  @Test
  void twoDieAtOnce() {
    assertBothAreRecovered("at-once", 1, 2);
  }

  @Test
  void oneDiesInsideTheRecoveryOfAnother() {
    assertBothAreRecovered("in-recovery", 2, 0);
  }

  @Test
  void oneDiesBeforeItReachesTheRestartPoint() {
    assertAllRanks(withFailures(run(1, "before-run", "RESTART", 1), 1), RANKS, 0);
  }

  /** A stopped process has not failed, so it must not be replaced. */
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
    assertAllHaveSeen(withFailures(run(1, "spare", "RESTART", RANKS), RANKS));
  }

  /**
   * The same rank fails twice. A spare that has become a rank is replaced as the first process is.
   */
  @Test
  void processAfterProcessUntilTheSparesRunOut() {
    RankJob.assumeFlavour(Flavour.ULFM, SPARES);
    RankJob.Outcome outcome = job(2).refill(false)
        .run(Scenario.class, arguments("before-collective,before-collective,before-collective", "RESTART", 2, 2, 0));
    assertThat(outcome.output()).as("the first two are replaced").contains("rank(s) [0] died, and there are not enough spares");
    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(ExitCodes.RESTART);
    assertThat(outcome.reports()).isEmpty();
  }

  /** A later kill of the missing rank must count as an error: it never strikes. */
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

  /**
   * Only the survivors know of the first death. They have to report it to the new process.
   *
   * <p>For mpirun the process that dies second is a job of its own.
   */
  @Test
  void aSpawnedProcessKnowsTheDeathsOfItsPredecessors() {
    RankJob.assumeFlavour(Flavour.ULFM, SPARES);
    RankJob.Outcome outcome = RankJob.of(RANKS, 0).timeoutSeconds(TIMEOUT_SECONDS).kill("process:2@20").kill("process:2@40")
        .run(Scenario.class, "none", "SPAWN");
    assertAllHaveSeen(outcome, 2, 2);
    assertThat(outcome.output()).doesNotContain("prterun noticed");
  }

  @Test
  void withoutRefillingNoneCanCome() {
    RankJob.assumeFlavour(Flavour.ULFM, SPARES);
    RankJob.Outcome outcome = job(0).refill(false).run(Scenario.class, "before-collective", "SPAWN", "1");
    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(ExitCodes.RESTART);
    assertThat(outcome.output()).contains("rank(s) [1] died", "SHRINK or SPAWN_TOGETHER, let it go on",
        "which it does with --refill");
  }

  /** The ranks spawn by MPI_Comm_spawn, as in MATCH, so the new process has parents. */
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
    assertAllRanks(withFailures(run(0, "before-run", "SPAWN", 1), 1), RANKS, 0);
  }

  /** The job must end in time, although Open MPI's spawn or launcher may hang or crash. */
  @Tag("series")
  @Test
  void oneDiesWhileAProcessIsSpawnedForAnother() {
    RankJob.assumeFlavour(Flavour.ULFM, SPARES);
    RankJob.Outcome outcome = RankJob.of(RANKS, 0).timeoutSeconds(TIMEOUT_SECONDS)
        .jvm("-Dkintsugi.recovery.timeout.seconds=" + SPAWN_SECONDS).refill(false)
        .run(Scenario.class, "while-spawning", "SPAWN_TOGETHER", "1", "2");
    assertThat(outcome.exitCode()).as(outcome.output()).isNotEqualTo(Job.TIMED_OUT);
    if (outcome.reports().isEmpty()) {
      assertThat(outcome.exitCode()).as(outcome.output()).isNotZero();
    } else {
      assertAllHaveSeen(outcome, 1, 2);
    }
  }
}
