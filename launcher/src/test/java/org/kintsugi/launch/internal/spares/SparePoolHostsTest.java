// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.spares;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Processes on several hosts, which are lost and come back. */
class SparePoolHostsTest extends PoolWithPeers {
  /** Two on one host and one on another, all well. */
  private Peer[] threeOnTwoHosts() throws IOException {
    Peer[] three = {new Peer(0, JOB, "a", 0), new Peer(1, JOB, "a", 0), new Peer(2, JOB, "b", 0)};
    all(three, "keep 3");
    return three;
  }

  @Test
  void oneIsStartedOnTheHostOfTheFailedProcess() throws IOException {
    Peer[] three = threeOnTwoHosts();
    three[1].dies();
    // Perhaps the host is lost, and mpirun does not know it yet.
    assertThat(three[2].hears()).isEmpty();
    pass(3);
    assertThat(three[2].hears()).containsExactly("start 1 a");
  }

  @Test
  void allProcessesOfASilentHostHaveFailed() throws IOException {
    Peer[] three = threeOnTwoHosts();
    three[1].dies();
    pass(3);
    Peer fresh = new Peer(0, "job@2", "a", 1);
    fresh.says("ready");
    three[0].says("need 2");
    fresh.says("joined");
    three[0].hears();
    fresh.hears();
    three[0].says("dead job@1 2");
    assertThat(fresh.hears()).isEmpty();
    pass(3);
    assertThat(fresh.hears()).containsExactly("died job@1 2");
    pass(3);
    assertThat(fresh.hears()).containsExactly("start 2 +b");
    three[2].dies();
    pass(3);
    assertThat(fresh.hears()).isEmpty();
  }

  /**
   * A debugger may have stopped the process. The others have declared it failed, but its host is
   * well.
   */
  @Test
  void oneThatIsReportedDeadOnAHostThatAnswersIsLostAlone() throws IOException {
    Peer[] four = {new Peer(0, JOB, "a", 0), new Peer(1, JOB, "b", 0), new Peer(2, JOB, "b", 0), new Peer(3, JOB, "b", 0)};
    all(four, "keep 4");
    four[0].says("dead job@1 1");
    four[0].says("dead job@1 2");
    assertThat(four[3].hears()).containsExactly("alive", "alive");
    four[3].says("alive");
    // It goes on meanwhile; for the others it is dead all the same.
    four[1].says("alive");
    pass(3);
    pass(3);
    assertThat(four[3].hears()).containsExactly("start 1 b", "start 2 b");
    // What it has answered then counts no longer.
    four[0].says("dead job@1 3");
    pass(3);
    pass(3);
    assertThat(four[0].hears()).containsExactly("start 3 +b");
  }

  @Test
  void whoNeedsOneDoesNotWaitForALostHost() throws IOException {
    Peer[] three = threeOnTwoHosts();
    three[2].dies();
    three[0].says("need 2");
    assertThat(three[0].hears()).isEmpty();
    pass(3);
    assertThat(three[0].hears()).containsExactly("start 1 a");
  }

  /**
   * On a busy machine the others may ask first. The connection of the failed process ends later.
   */
  @Test
  void whoNeedsOneWaitsUntilItIsKnownOnWhichHostOneHasDied() throws IOException {
    Peer[] four = {new Peer(0, JOB, "a", 0), new Peer(1, JOB, "a", 0), new Peer(2, JOB, "b", 0), new Peer(3, JOB, "b", 0)};
    all(four, "keep 4");
    four[0].says("need 3");
    pass(1);
    assertThat(four[0].hears()).isEmpty();
    four[3].dies();
    pass(3);
    assertThat(four[0].hears()).containsExactly("start 1 b");
  }

  /** This happens if a host is silent, or if the others are wrong. */
  @Test
  void whoNeedsOneGetsOneAlsoIfNobodyIsSeenToHaveDied() throws IOException {
    Peer[] three = threeOnTwoHosts();
    three[0].says("need 2");
    pass(3);
    assertThat(three[0].hears()).containsExactly("start 1 a");
  }

  @Test
  void aLostHostIsAskedForAgainAndAgain() throws IOException {
    Peer[] three = threeOnTwoHosts();
    three[2].dies();
    pass(3);
    assertThat(three[1].hears()).containsExactly("start 1 +b");
    three[1].says("unable 1 it is lost");
    assertThat(three[1].hears()).isEmpty();
    pass(4);
    assertThat(three[1].hears()).containsExactly("start 2 +b");
    // It is waited for, and does not answer at all.
    pass(41);
    assertThat(three[1].hears()).containsExactly("start 3 a");
    assertThat(messages.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  /** mpirun waits for one host at a time, and its refusal of another would tell nothing of that. */
  @Test
  void oneOfTwoLostHostsIsAskedForAtATime() throws IOException {
    Peer[] three = {new Peer(0, JOB, "a", 0), new Peer(1, JOB, "b", 0), new Peer(2, JOB, "c", 0)};
    all(three, "keep 3");
    three[1].dies();
    three[2].dies();
    pass(3);
    assertThat(three[0].hears()).containsExactly("start 1 +b");
    pass(10);
    assertThat(three[0].hears()).isEmpty();
    three[0].says("unable 1 it is lost");
    assertThat(three[0].hears()).containsExactly("start 2 +c");
    three[0].says("unable 2 it is lost");
    pass(3);
    assertThat(three[0].hears()).containsExactly("start 3 +b");
  }

  @Test
  void whoIsMissedByTheOthersOnlyIsStartedWhenItIsKnownWhere() throws IOException {
    Peer[] three = threeOnTwoHosts();
    three[0].says("living 2");
    pass(1);
    assertThat(three[1].hears()).isEmpty();
    three[0].says("dead job@1 2");
    pass(3);
    pass(3);
    assertThat(three[1].hears()).containsExactly("start 1 +b");
  }

  @Test
  void aHostThatHasComeBackIsFilledUp() throws IOException {
    Peer[] four = {new Peer(0, JOB, "a", 0), new Peer(1, JOB, "a", 0), new Peer(2, JOB, "b", 0), new Peer(3, JOB, "b", 0)};
    all(four, "keep 4");
    four[2].dies();
    four[3].dies();
    pass(3);
    // One by one: only then it is known that it is there.
    assertThat(four[1].hears()).containsExactly("start 1 +b");
    new Peer(0, "job@2", "b", 1).says("ready");
    assertThat(four[1].hears()).containsExactly("start 2 b");
  }

  /** Under Slurm: one that has failed alone on its host is started there again, by the daemon that is there. */
  @Test
  void whereNoDaemonCanBeStartedAHostWithoutProcessesIsTriedOnce() throws IOException {
    Peer[] three = threeOnTwoHosts();
    pool.hostsAreLostForGood();
    three[2].dies();
    pass(3);
    List<String> heard = new ArrayList<>(three[0].hears());
    heard.addAll(three[1].hears());
    assertThat(heard).containsExactly("start 1 b");
    three[0].says("unable 1 no such host");
    pass(3);
    heard = new ArrayList<>(three[0].hears());
    heard.addAll(three[1].hears());
    assertThat(heard).as("the host is lost, and the other one makes up for it").containsExactly("start 2 a");
  }
}
