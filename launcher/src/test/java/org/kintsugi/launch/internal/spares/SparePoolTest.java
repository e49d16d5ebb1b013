// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.spares;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.kintsugi.runtime.internal.protocol.RankPlace.Phase;

/** The launcher's lines to processes that come, wait, ask and die. */
class SparePoolTest extends PoolWithPeers {
  @Test
  void oneIsStartedForEachThatDies() throws IOException {
    Peer[] three = three();
    assertThat(three[2].hears()).isEmpty();
    diesAndOneIsStarted(three[1]);
    assertThat(three[2].hears()).containsExactly("start 1");
    pass(1);
    assertThat(three[2].hears()).isEmpty();
    new Peer(0, "job@2", 1).says("ready");
    diesAndOneIsStarted(three[2]);
    assertThat(three[0].hears()).containsExactly("start 2");
  }

  @Test
  void whoWaitsAndThoseWhoMayTakeItInAskForEachOthersDataAheadAndForgetIt() throws IOException {
    Peer[] three = three();
    Peer fresh = readyInPlaceOf(three[1]);
    assertThat(fresh.hearsAll()).containsExactly("prefetch job@1 0", "prefetch job@1 2");
    assertThat(three[0].hearsAll()).containsExactly("prefetch job@2 0");
    fresh.dies();
    assertThat(three[2].hearsAll()).contains("prefetch job@2 0", "forget job@2");
  }

  /** mpirun has only one host. */
  @Test
  void noHostIsNamedWhereProcessesCallTheirOneHostByOtherNames() throws IOException {
    pool = pool(true);
    Peer[] three = {new Peer(0, JOB, "a", 0), new Peer(1, JOB, "b", 0), new Peer(2, JOB, "c", 0)};
    all(three, "keep 3");
    diesAndOneIsStarted(three[1]);
    assertThat(three[2].hears()).containsExactly("start 1");
  }

  /** The start of a JVM takes processors from the recovery. */
  @Test
  void aProcessOnOneHostIsStartedWhenTheOthersHaveRecovered() throws IOException {
    Peer[] three = three();
    three[1].dies();
    assertThat(three[2].hears()).isEmpty();
    three[0].says("living 2");
    assertThat(three[2].hears()).isEmpty();
    assertThat(pool.millisToNextLook(now)).isLessThan(300);
    passToNextLook();
    assertThat(three[2].hears()).containsExactly("start 1");
    assertThat(pool.millisToNextLook(now)).isEqualTo(Long.MAX_VALUE);
  }

  /** The recovery goes on: all and the process that waited meet. */
  @Test
  void whoFindsOneThatWaitsNeedsNoOtherMeanwhile() throws IOException {
    Peer[] three = three();
    Peer fresh = readyInPlaceOf(three[1]);
    three[2].dies();
    three[0].says("need 1");
    assertThat(three[0].hears()).containsExactly("called kintsugi-key-1");
    three[0].says("living 2");
    fresh.says("joined");
    assertThat(three[0].hears()).isEmpty();
    passToNextLook();
    assertThat(fresh.hears()).contains("start 2");
  }

  @Test
  void theReportOfARecoveryMayComeBeforeTheEndOfTheConnection() throws IOException {
    Peer[] three = three();
    three[0].says("living 2");
    three[1].dies();
    assertThat(pool.millisToNextLook(now)).isLessThan(300);
    passToNextLook();
    assertThat(three[2].hears()).containsExactly("start 1");
  }

  @Test
  void whoNeedsOneDoesNotWaitUntilTheOthersHaveRecovered() throws IOException {
    Peer[] three = three();
    three[1].dies();
    three[0].says("need 2");
    assertThat(three[0].hears()).containsExactly("start 1");
    three[2].dies();
    assertThat(three[0].hears()).containsExactly("start 2");
  }

  @Test
  void nobodyIsStartedWhereNobodyKeepsCount() throws IOException {
    Peer[] three = {new Peer(0, JOB, 0), new Peer(1, JOB, 0)};
    three[1].dies();
    pass(100);
    assertThat(three[0].hears()).isEmpty();
  }

  /**
   * A called process joins when the whole recovery ends. Before that, the recovery may admit
   * others, one after the other.
   */
  @Test
  void whoIsCalledIsNotForgottenWhileTheRecoveryGoesOn() throws IOException {
    Peer[] three = three();
    Peer fresh = readyInPlaceOf(three[1]);
    three[2].dies();
    three[0].says("need 1");
    pass(15);
    three[0].says("need 2");
    pass(15);
    fresh.says("joined");
  }

  @Test
  void whoAsksMeetsOneThatWaits() throws IOException {
    Peer[] three = three();
    Peer fresh = readyInPlaceOf(three[1]);
    three[0].says("need 2");
    assertThat(three[0].hears()).containsExactly("called kintsugi-key-1");
    assertThat(fresh.hears()).containsExactly("come kintsugi-key-1");
    fresh.says("joined");
    assertThat(three[2].hears()).containsExactly("start 1");
  }

  @Test
  void whoAsksFirstMeetsTheNextThatIsReady() throws IOException {
    Peer[] three = three();
    // Not known here yet: the one that asks knows it.
    three[0].says("need 2");
    assertThat(three[0].hears()).containsExactly("start 1");
    three[1].dies();
    assertThat(three[2].hears()).isEmpty();
    new Peer(0, "job@2", 1).says("ready");
    assertThat(three[0].hears()).containsExactly("called kintsugi-key-1");
  }

  @Test
  void theCallerAndTheCalledAreNotifiedOfEachOthersFailure() throws IOException {
    Peer[] three = three();
    Peer fresh = readyInPlaceOf(three[1]);
    three[0].says("need 2");
    three[0].hears();
    fresh.hears();
    fresh.dies();
    assertThat(three[0].hears()).containsExactly("gone kintsugi-key-1", "died job@2 0");
    Peer next = new Peer(0, "job@3", 2);
    next.says("ready");
    three[0].says("need 2");
    next.hears();
    three[0].dies();
    assertThat(next.hears()).containsExactly("gone kintsugi-key-2", "died job@1 0");
    next.says("ready");
    three[2].says("need 1");
    assertThat(next.hears()).containsExactly("come kintsugi-key-3");
  }

  @Test
  void aFailureIsReportedToProcessesOfOtherJobs() throws IOException {
    Peer[] three = three();
    Peer fresh = readyInPlaceOf(three[1]);
    three[0].says("need 2");
    fresh.says("joined");
    fresh.hears();
    Peer isAboutToWait = new Peer(0, "job@3", 2);
    three[2].hears();
    three[2].dies();
    assertThat(fresh.hears()).containsExactly("died job@1 2");
    assertThat(isAboutToWait.hears()).containsExactly("died job@1 2");
  }

  @Test
  void oneThatNeverComesIsStartedAgain() throws IOException {
    Peer[] three = three();
    diesAndOneIsStarted(three[1]);
    assertThat(three[2].hears()).containsExactly("start 1");
    pass(16);
    assertThat(three[2].hears()).containsExactly("start 2");
  }

  @Test
  void whatADeadOneWasToStartAnotherOneStarts() throws IOException {
    Peer[] three = three();
    diesAndOneIsStarted(three[1]);
    assertThat(three[2].hears()).containsExactly("start 1");
    diesAndOneIsStarted(three[2]);
    assertThat(three[0].hears()).containsExactly("start 2", "start 3");
  }

  @Test
  void whoIsMissedByTheOthersIsMissing() throws IOException {
    Peer[] three = three();
    three[0].says("living 2");
    pass(1);
    assertThat(three[2].hears()).containsExactly("start 1");
    three[0].says("living 2");
    three[1].dies();
    pass(1);
    assertThat(three[2].hears()).isEmpty();
  }

  @Test
  void oneThatWasCalledInVainIsNotWaitedFor() throws IOException {
    Peer[] three = three();
    readyInPlaceOf(three[1]);
    three[0].says("need 2");
    assertThat(three[0].hears()).containsExactly("called kintsugi-key-1");
    pass(1);
    three[0].says("need 2");
    assertThat(three[0].hears()).containsExactly("start 2");
  }

  /**
   * A requester repeats its request twice a second. If it does so while one is called for it, a
   * second one would wait in vain.
   */
  @Test
  void aQuestionThatCrossesTheCallCallsNoSecondOne() throws IOException {
    Peer[] three = three();
    three[0].says("need 2");
    assertThat(three[0].hears()).containsExactly("start 1");
    new Peer(0, "job@2", 1).says("ready");
    three[0].says("need 2");
    assertThat(three[0].hears()).containsExactly("called kintsugi-key-1");
    // With another death it asks for more, and the one that was called may have met nobody.
    three[0].says("need 1");
    assertThat(three[0].hears()).containsExactly("start 2", "start 3");
  }

  /** It is in a long recovery. Its failure must be reported whenever it happens. */
  @Test
  void anAdmittedProcessThatHasNotReportedItIsNotForgotten() throws IOException {
    Peer[] three = three();
    Peer fresh = readyInPlaceOf(three[1]);
    three[0].says("need 2");
    pass(21);
    three[0].hears();
    three[2].hears();
    fresh.dies();
    assertThat(three[0].hears()).containsExactly("died job@2 0");
    assertThat(three[2].hears()).contains("died job@2 0");
  }

  /** It may be called soon by processes that do not know of the failure yet. */
  @Test
  void aFailureIsReportedToWaitingProcesses() throws IOException {
    Peer[] three = three();
    Peer fresh = readyInPlaceOf(three[1]);
    three[2].dies();
    assertThat(fresh.hears()).contains("died " + JOB + " 2");
  }

  @Test
  void oneThatIsCalledAndMetNobodyEndsWithTheRun() throws IOException {
    Peer[] three = three();
    Peer fresh = readyInPlaceOf(three[1]);
    three[0].says("need 2");
    three[0].says("keep 0");
    assertThat(fresh.hears()).containsExactly("come kintsugi-key-1");
    pass(2);
    assertThat(fresh.hears()).contains("over");
  }

  /** No other failure is known here, but the requester may have detected one earlier. */
  @Test
  void whoWantsOneWaitsForTheNextWhenOneDies() throws IOException {
    Peer[] three = three();
    three[0].says("need 2");
    assertThat(three[0].hears()).containsExactly("start 1");
    new Peer(0, "job@2", 1).dies();
    assertThat(three[0].hears()).containsExactly("start 2");
  }

  @Test
  void oneThatDoesNotBecomeReadyIsNotWaitedForAndEnds() throws IOException {
    Peer[] three = three();
    diesAndOneIsStarted(three[1]);
    Peer stuck = new Peer(0, "job@2", 1);
    pass(11);
    assertThat(stuck.hears()).isEmpty();
    three[0].says("need 2");
    assertThat(stuck.hears()).as("it may only be slow").isEmpty();
    assertThat(three[2].hears()).containsExactly("start 1");
    assertThat(three[0].hears()).containsExactly("start 2");
    pass(20);
    assertThat(stuck.hears()).containsExactly("over");
  }

  /** The program waits for something before it begins MPI. */
  @Test
  void oneThatHasNotComeWhenNobodyIsThereIsUnneeded() throws IOException {
    Peer[] three = {new Peer(0, JOB, 0), new Peer(1, JOB, 0), new Peer(2, JOB, 0)};
    all(three, "keep 3");
    three[2].dies();
    three[0].says("living 2");
    pass(1);
    assertThat(three[1].hears()).containsExactly("start 1");
    three[0].says("keep 0");
    three[0].leaves();
    pass(5);
    assertThat(pool.takeUnneeded(now)).as("one is there").isEmpty();
    three[1].leaves();
    assertThat(pool.takeUnneeded(now)).isEmpty();
    assertThat(pool.millisToNextLook(now)).isBetween(2000L, 3001L);
    pass(4);
    assertThat(pool.takeUnneeded(now)).containsExactly(1);
    assertThat(pool.takeUnneeded(now)).isEmpty();
  }

  @Test
  void aProcessOnOneHostThatEndsBeforeItComesIsMissed() throws IOException {
    pool = pool(true);
    Peer[] three = three();
    diesAndOneIsStarted(three[1]);
    assertThat(three[2].hears()).containsExactly("start 1");
    assertThat(pool.isToSee(now)).isFalse();
    assertThat(pool.millisToNextLook(now)).isBetween(150L, 250L);
    passToNextLook();
    assertThat(pool.isToSee(now)).isTrue();
    pool.see(Set.of(1, 7), now);
    assertThat(pool.isToSee(now)).isFalse();
    pass(1);
    pool.see(Set.of(1), now);
    assertThat(three[2].hears()).isEmpty();
    pass(1);
    pool.see(Set.of(), now);
    assertThat(three[2].hears()).containsExactly("start 2");
  }

  /** mpirun may be busy. */
  @Test
  void oneThatWasNotSeenYetIsNotMissedForSomeTime() throws IOException {
    pool = pool(true);
    Peer[] three = three();
    diesAndOneIsStarted(three[1]);
    pass(2);
    pool.see(Set.of(), now);
    assertThat(three[2].hears()).containsExactly("start 1");
    pass(4);
    pool.see(Set.of(), now);
    assertThat(three[2].hears()).containsExactly("start 2");
    new Peer(0, "job@2", 1).says("ready");
    new Peer(0, "job@3", 2).says("ready");
    pass(1);
    assertThat(pool.isToSee(now)).isFalse();
    assertThat(three[2].hears()).as("one more than is needed does no harm").isEmpty();
  }

  /** Another one would start no sooner. */
  @Test
  void oneThatIsSeenMayStartSlowly() throws IOException {
    pool = pool(true);
    Peer[] three = three();
    diesAndOneIsStarted(three[1]);
    pass(1);
    pool.see(Set.of(1), now);
    pass(60);
    pool.see(Set.of(1), now);
    assertThat(three[2].hears()).containsExactly("start 1");
    pass(60);
    assertThat(three[2].hears()).containsExactly("start 2");
  }

  /** This happens if mpirun was stopped for a while. */
  @Test
  void manyThatAreMissedTogetherAreOneFailure() throws IOException {
    pool = pool(true);
    Peer[] all = new Peer[12];
    for (int rank = 0; rank < all.length; rank++) {
      all[rank] = new Peer(rank, JOB, 0);
    }
    all(all, "keep 12");
    for (int rank = 1; rank < all.length; rank++) {
      all[rank].dies();
    }
    pass(1);
    assertThat(all[0].hears()).hasSize(11);
    pass(6);
    pool.see(Set.of(), now);
    assertThat(all[0].hears()).hasSize(11).first().isEqualTo("start 12");
    assertThat(messages.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  /** The program may read its input between Mpi.init and the run. */
  @Test
  void aProcessMayTakeLongAfterItsInit() throws IOException {
    Peer[] three = three();
    diesAndOneIsStarted(three[1]);
    Peer slow = new Peer(0, "job@2", 1);
    slow.isIn(Phase.PROGRAM);
    pass(100);
    three[0].says("need 2");
    assertThat(three[0].hears()).isEmpty();
    assertThat(slow.hears()).isEmpty();
    slow.says("ready");
    assertThat(three[0].hears()).containsExactly("called kintsugi-key-1");
  }

  /** The others read the order only in the run. */
  @Test
  void whoHasNotComeToTheRunStartsNone() throws IOException {
    Peer[] three = {new Peer(0, JOB, 0), new Peer(1, JOB, 0), new Peer(2, JOB, 0)};
    three[0].says("keep 3");
    diesAndOneIsStarted(three[1]);
    assertThat(three[2].hears()).isEmpty();
    assertThat(three[0].hears()).containsExactly("start 1");
  }

  @Test
  void aWaitingProcessThatIsStoppedIsEndedAfterTheOthers() throws IOException {
    Peer[] three = three();
    Peer stopped = readyInPlaceOf(three[1]);
    pass(1);
    three[0].says("keep 0");
    assertThat(stopped.hears()).containsExactly("over");
    assertThat(pool.takeUnneeded(now)).isEmpty();
    three[0].leaves();
    pass(10);
    assertThat(pool.takeUnneeded(now)).as("one is there").isEmpty();
    three[2].leaves();
    assertThat(pool.takeUnneeded(now)).isEmpty();
    assertThat(pool.millisToNextLook(now)).isBetween(2000L, 3001L);
    pass(4);
    assertThat(pool.takeUnneeded(now)).contains(1);
  }

  @Test
  void oneThatIsStuckAndDoesNotHearItIsUnneededAtTheEnd() throws IOException {
    Peer[] three = three();
    diesAndOneIsStarted(three[1]);
    new Peer(0, "job@2", 1);
    pass(31);
    three[0].says("keep 0");
    assertThat(pool.takeUnneeded(now)).isEmpty();
    three[0].leaves();
    three[2].leaves();
    pass(4);
    assertThat(pool.takeUnneeded(now)).contains(1);
  }

  @Test
  void processesThatAreNotHereMayBeOnAnotherHost() throws IOException {
    Peer[] three = three();
    diesAndOneIsStarted(three[1]);
    pass(5);
    assertThat(pool.isToSee(now)).isFalse();
  }

  @Test
  void oneThatComesWhenTheRunIsOverEnds() throws IOException {
    Peer[] three = three();
    diesAndOneIsStarted(three[1]);
    three[0].says("keep 0");
    assertThat(new Peer(0, "job@2", 1).hears()).containsExactly("over");
  }

  @Test
  void startsEndWhenAllDieBeforeTheyAreReady() throws IOException {
    Peer[] three = three();
    diesAndOneIsStarted(three[1]);
    for (int i = 1; i <= 9; i++) {
      new Peer(0, "job@" + i, i).dies();
    }
    three[0].says("need 2");
    assertThat(three[0].hears()).isEmpty();
    new Peer(0, "job@10", 10).dies();
    assertThat(three[0].hears()).containsExactly("none");
    assertThat(messages.toString(StandardCharsets.UTF_8)).contains("not filled up again any more");
  }

  /** As a process does that throws before the run, after a block that closes MPI. */
  @Test
  void startsEndWhenAllLeaveBeforeTheyAreReady() throws IOException {
    Peer[] three = three();
    diesAndOneIsStarted(three[1]);
    for (int i = 1; i <= 10; i++) {
      new Peer(0, "job@" + i, i).leaves();
    }
    three[2].hears();
    pass(1);
    assertThat(three[2].hears()).isEmpty();
    assertThat(messages.toString(StandardCharsets.UTF_8)).contains("not filled up again any more");
  }

  @Test
  void oneThatWaitsEndsWithTheRun() throws IOException {
    Peer[] three = three();
    Peer fresh = readyInPlaceOf(three[1]);
    three[0].says("keep 0");
    assertThat(fresh.hears()).contains("over");
  }

  @Test
  void oneThatWaitsEndsWhenNobodyElseIsThere() throws IOException {
    Peer[] three = three();
    Peer fresh = readyInPlaceOf(three[1]);
    three[2].leaves();
    three[0].dies();
    assertThat(fresh.hears()).contains("over");
  }
}
