// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.spares;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Processes that are stopped, that die before they have come, or that come when the run ends. */
class SparePoolTroubleTest extends PoolWithPeers {
  private Peer ready(String job, int number) throws IOException {
    Peer fresh = new Peer(0, job, number);
    fresh.says("ready");
    return fresh;
  }

  /** It does not answer, and counts as a member after some time, as it may be in a recovery that takes long. */
  @Test
  void oneThatIsStoppedAndWasCalledIsEndedWithTheOthers() throws IOException {
    pool = pool(true);
    Peer[] three = three();
    Peer stopped = readyInPlaceOf(three[1]);
    three[2].dies();
    three[0].says("need 1");
    assertThat(stopped.hears()).contains("come kintsugi-key-1");
    pass(7);
    three[0].says("need 1");
    Peer other = ready("job@3", 2);
    other.says("joined");
    three[0].says("living 2");
    pass(30);
    all(new Peer[] {three[0], other}, "keep 0");
    pass(2);
    assertThat(pool.takeUnneeded(now)).isEmpty();
    three[0].leaves();
    other.leaves();
    pass(4);
    assertThat(stopped.hears()).contains("over");
    assertThat(pool.takeUnneeded(now)).contains(1);
  }

  @Test
  void whereOneDiesBeforeItComesThePoolIsFilledUpAgainAndAgain() throws IOException {
    pool = pool(true);
    Peer[] two = {new Peer(0, JOB, 0), new Peer(1, JOB, 0)};
    all(two, "keep 3");
    two[0].says("living 2");
    pass(2);
    assertThat(two[1].hears()).containsExactly("start 1");
    Peer fresh = ready("job@2", 1);
    pass(1);
    fresh.dies();
    pass(2);
    assertThat(two[1].hears()).containsExactly("start 2");
  }

  @Test
  void startsThatTheEndCutsOffAreNoFailures() throws IOException {
    pool = pool(true);
    Peer[] all = new Peer[12];
    for (int i = 0; i < all.length; i++) {
      all[i] = new Peer(i, JOB, 0);
    }
    all(all, "keep 12");
    for (int i = 2; i < all.length; i++) {
      all[i].dies();
    }
    all[0].says("living 2");
    pass(2);
    Peer[] fresh = new Peer[all.length - 2];
    for (int i = 0; i < fresh.length; i++) {
      fresh[i] = new Peer(0, "job@" + (i + 2), i + 1);
    }
    all[0].says("keep 0");
    for (Peer one : fresh) {
      one.dies();
    }
    assertThat(messages.toString(StandardCharsets.UTF_8)).isEmpty();
  }
}
