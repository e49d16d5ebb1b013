// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.kintsugi.launch.internal.mpirun.SpareNodes;
import org.kintsugi.runtime.ExitCodes;

/** Lines as the fork prints them. */
class ReinitJudgeTest {
  private static final String RESPAWN = "SENDING proc [[18349,1],2] to restart on daemon ";

  private final ByteArrayOutputStream messages = new ByteArrayOutputStream();
  private final AtomicInteger rollBacks = new AtomicInteger();

  private int failedStarts = Integer.MAX_VALUE;

  private ReinitJudge judge(int maxRespawns, SpareNodes spareNodes, boolean areHostsMany) {
    return new ReinitJudge("key", maxRespawns, () -> failedStarts, spareNodes, areHostsMany, rollBacks::incrementAndGet,
        new PrintStream(messages, true));
  }

  @Test
  void dropsNoiseOnly() {
    ReinitJudge judge = judge(9, SpareNodes.NONE, false);
    assertThat(judge.hears("DBG_REINIT: STATE: NEW")).isTrue();
    assertThat(judge.hears("SENDING num_procs 1 processes to restart")).isTrue();
    assertThat(judge.hears(RESPAWN + "0")).isTrue();
    assertThat(judge.hears("mpirun: Forwarding signal 10 to job")).isTrue();
    assertThat(judge.hears("SENDING num_procs to my friends")).isFalse();
    assertThat(judge.hears("mpirun: Forwarding signal 12 to job")).isFalse();
    assertThat(judge.verdict()).isNotDone();
    assertThat(judge.judge(0)).isZero();
    assertThat(judge.judge(139)).isEqualTo(139);
    assertThat(messages.toString()).isEmpty();
  }

  @Test
  void keepsQuietAboutTheCrashOfAnMpirunThatIsEnded() {
    ReinitJudge judge = judge(9, SpareNodes.NONE, false);
    assertThat(judge.marks(1436, "vm.cluster")).contains("[vm.cluster:01436] ", "[vm:01436] ");
    assertThat(judge.hears("[vm:01436] Signal: Segmentation fault (11)")).as("nobody has ended it").isFalse();
    assertThat(judge.hears("mpirun: abort is already in progress...")).isFalse();
    judge.hears("*** UNSUPPORTED RECOVERY");
    assertThat(judge.hears("[vm:01436] Signal: Segmentation fault (11)")).isTrue();
    assertThat(judge.hears("mpirun: abort is already in progress...hit ctrl-c again to forcibly terminate")).isTrue();
    assertThat(judge.hears("[vm:01437] of a rank")).isFalse();
    assertThat(messages.toString().lines()).hasSize(1);
  }

  @Test
  void doesWhatRanksSay() {
    ReinitJudge judge = judge(9, SpareNodes.NONE, false);
    assertThat(judge.hears("kintsugi-launcher: key roll-back")).isTrue();
    assertThat(judge.hears("kintsugi-launcher: key something newer")).isTrue();
    assertThat(judge.hears("kintsugi-launcher: key end 999")).isTrue();
    assertThat(judge.hears("kintsugi-launcher: end 7")).as("of the program").isFalse();
    assertThat(judge.hears("kintsugi-launcher: kez end 7")).as("of the program").isFalse();
    assertThat(judge.verdict()).isNotDone();
    assertThat(judge.hears("kintsugi-launcher: key end 75")).isTrue();
    judge.hears("kintsugi-launcher: key end 3");
    judge.hears("kintsugi-launcher: key roll-back");
    assertThat(judge.verdict()).isCompletedWithValue(ExitCodes.RESTART);
    assertThat(judge.judge(0)).isEqualTo(ExitCodes.RESTART);
    assertThat(rollBacks).hasValue(1);
  }

  @Test
  void knowsThatTheForkAbandonsAJobWhoseBodyThrew() {
    ReinitJudge judge = judge(9, SpareNodes.NONE, false);
    judge.hears("kintsugi-launcher: key roll-back");
    judge.hears("*** UNSUPPORTED RECOVERY");
    assertThat(judge.judge(0)).as("another start would end the same way").isEqualTo(1);
  }

  @Test
  void knowsThatTheForkStartsAgainWhatEndedByAnException() {
    ReinitJudge judge = judge(9, SpareNodes.NONE, true);
    judge.hears(RESPAWN + "0");
    assertThat(judge.verdict()).as("a failure before, from which the job recovers").isNotDone();
    judge.hears("kintsugi-launcher: key roll-back");
    judge.hears(RESPAWN + "1");
    assertThat(judge.verdict()).isCompletedWithValue(1);
    assertThat(messages.toString()).contains("a body threw");
  }

  @Test
  void knowsWhenTheForkAbandonsTheJob() {
    for (String line : new String[] {"*** UNSUPPORTED RECOVERY",
        "DBG_REINIT: Unsupported recovery: fault before Reinit is ready!"}) {
      ReinitJudge judge = judge(9, SpareNodes.NONE, false);
      assertThat(judge.hears(line)).isTrue();
      assertThat(judge.judge(0)).isEqualTo(ExitCodes.RESTART);
    }
    assertThat(messages.toString()).contains("abandoned the job");
  }

  @Test
  void knowsWhenTheForkStumblesOverALostNode() {
    String line = "ORTE_ERROR_LOG: Data unpack would read past end of buffer in file /src/orte/orted/orted_comm.c at line 1447";
    assertThat(judge(9, SpareNodes.NONE, false).hears(line)).isFalse();
    ReinitJudge judge = judge(9, SpareNodes.NONE, true);
    judge.marks(1436, "vm");
    assertThat(judge.hears("[vm:01436] [[18349,0],0] " + line)).as("it is for the user too").isFalse();
    assertThat(judge.judge(0)).isEqualTo(ExitCodes.RESTART);
    assertThat(messages.toString()).contains("a node was lost on which a dead process had been started anew before");
  }

  @Test
  void countsRespawns() {
    ReinitJudge judge = judge(2, SpareNodes.NONE, false);
    judge.hears(RESPAWN + "0");
    judge.hears(RESPAWN + "0");
    assertThat(judge.verdict()).isNotDone();
    judge.hears(RESPAWN + "0");
    assertThat(judge.verdict()).isCompletedWithValue(ExitCodes.RESTART);
    assertThat(messages.toString()).contains("--max-respawns 2");
  }

  @Test
  void aProgramThatDoesNotStartIsNotStartedForLong() {
    failedStarts = 1;
    ReinitJudge judge = judge(100, SpareNodes.NONE, false);
    judge.hears(RESPAWN + "0");
    assertThat(judge.verdict()).isNotDone();
    judge.hears(RESPAWN + "0");
    assertThat(judge.verdict()).isCompletedWithValue(1);
    assertThat(messages.toString()).contains("none has begun MPI");
  }

  @Test
  void countsSpareNodes() {
    ReinitJudge judge = judge(100, new SpareNodes(3, 1), true);
    judge.hears(RESPAWN + "1");
    assertThat(messages.toString()).isEmpty();
    judge.hears(RESPAWN + "3");
    judge.hears(RESPAWN + "3");
    assertThat(messages.toString()).containsOnlyOnce("spare nodes left: 0, another loss ends the job");
    assertThat(judge.judge(139)).isEqualTo(ExitCodes.RESTART);
    assertThat(messages.toString()).contains("no spare node is left (1 of 1 in use)");
  }
}
