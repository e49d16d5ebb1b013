// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.kintsugi.checkpoint.engine.Engine;
import org.kintsugi.checkpoint.engine.EngineProvider;
import org.kintsugi.checkpoint.internal.CheckpointAccess;
import org.kintsugi.reinit.SettingSamples;

/** Engines of others are found by their providers; no MPI needed. */
@Isolated("sets properties")
class EnginesTest {
  /** Registered in this folder's META-INF/services. */
  public static final class Provider implements EngineProvider {
    @Override
    public String name() {
      return "theirs";
    }

    @Override
    public Engine make(String nodeName) {
      return new KeepsNothing("theirs");
    }
  }

  @AfterEach
  void asBefore() {
    System.clearProperty(CheckpointConfig.STORE.property());
  }

  @Test
  void anEngineOfOthersIsFoundByItsName() {
    assertThat(Engines.named("theirs", "node")).isInstanceOf(KeepsNothing.class);
  }

  @Test
  void anUnknownLevelIsRefusedWithTheNamesThatThereAre() {
    System.setProperty(CheckpointConfig.STORE.property(), "floppy");
    assertThatThrownBy(() -> CheckpointAccess.get().ofJob("node")).isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("-Dkintsugi.checkpoint.store=floppy: floppy is not a level; expected memory, xor, file, ")
        .hasMessageContaining("fti, scr").hasMessageContaining("theirs");
  }

  @Test
  void oneWithLevelsOfItsOwnIsNoneAmongOthers() {
    System.setProperty(CheckpointConfig.STORE.property(), "memory,scr:4");
    assertThatThrownBy(() -> CheckpointAccess.get().ofJob("node")).isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "-Dkintsugi.checkpoint.store=memory,scr:4: scr has levels of its own (-Dkintsugi.scr.flush), it cannot be one "
                + "among others");
  }

  @Test
  void oneThatOnlyARunCanLeaveIsRefusedOutsideOfRuns() {
    System.setProperty(CheckpointConfig.STORE.property(), "memory,fti:4");
    assertThatThrownBy(() -> Engines.engineOfJob("node", true)).isInstanceOf(UnsupportedOperationException.class)
        .hasMessageStartingWith("-Dkintsugi.checkpoint.store=memory,fti:4: fti is left by a Reinit run");
    System.setProperty(CheckpointConfig.STORE.property(), "memory,theirs:4");
    assertThat(Engines.engineOfJob("node", true).name()).contains("theirs");
  }

  @Test
  void theLauncherTakesTheSame() {
    SettingSamples.judge(CheckpointConfig.STORE, () -> Engines.engineOfJob("node", false));
    SettingSamples.judge(CheckpointConfig.MTBF_SECONDS, () -> Engines.engineOfJob("node", false));
    SettingSamples.judge(CheckpointConfig.XOR_GROUP, () -> Engines.named("xor", "node"));
    SettingSamples.judge(CheckpointConfig.INITIAL, CheckpointConfig.INITIAL::booleanValue);
  }
}
