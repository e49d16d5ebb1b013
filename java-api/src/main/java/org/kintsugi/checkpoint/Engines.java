// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.kintsugi.checkpoint.fti.FtiEngine;
import org.kintsugi.checkpoint.scr.ScrEngine;
import org.kintsugi.mpi.MpiConfig;

/** Which engine a job uses: {@link MpiConfig#CHECKPOINT_STORE}. */
public final class Engines {
  private Engines() {}

  /** A checkpoint with the job's engine, for a process on the node of that name; to be bound before it is used. */
  public static Checkpoint ofJob(String nodeName) {
    MpiConfig mtbf = MpiConfig.CHECKPOINT_MTBF_SECONDS;
    if (mtbf.longValue() < 1) {
      throw new IllegalArgumentException("-D" + mtbf.property() + "=" + mtbf.value()
          + ": the mean time between failures is a whole number of seconds, 1 or greater");
    }
    String stores = MpiConfig.CHECKPOINT_STORE.value();
    Schedule schedule = Schedule.parse(MpiConfig.CHECKPOINT_STORE.property(), stores);
    if (schedule.names().contains("scr") && schedule.names().size() > 1) {
      throw new IllegalArgumentException("-D" + MpiConfig.CHECKPOINT_STORE.property() + "=" + stores
          + ": scr has levels of its own (-D" + MpiConfig.SCR_FLUSH.property() + "), it cannot be one among others");
    }
    List<Engine> engines = new ArrayList<>();
    for (String name : schedule.names()) {
      engines.add(named(name, nodeName));
    }
    return new Checkpoint(engines.size() == 1 ? engines.get(0) : new LevelsEngine(schedule, engines));
  }

  /** A checkpoint in memory whatever the job's engine is, for a process on the node of that name; to be bound before use. */
  public static Checkpoint inMemory(String nodeName) {
    return new Checkpoint(new MemoryEngine(nodeName));
  }

  /**
   * One engine, for those who drive it themselves.
   *
   * @param name as in {@link MpiConfig#CHECKPOINT_STORE}, one level
   * @throws IllegalArgumentException if there is none of that name
   * @throws UnsupportedOperationException if its library is not installed
   */
  public static Engine named(String name, String nodeName) {
    switch (name) {
      case "memory":
        return new MemoryEngine(nodeName);
      case "xor":
        return new XorEngine(nodeName, MpiConfig.CHECKPOINT_XOR_GROUP.longValue());
      case "file":
        return new FileEngine(Path.of(MpiConfig.CHECKPOINT_DIR.value()));
      case "fti":
        return FtiEngine.ofJob(nodeName);
      case "scr":
        return ScrEngine.ofJob();
      default:
        throw new IllegalArgumentException("-D" + MpiConfig.CHECKPOINT_STORE.property() + "="
            + MpiConfig.CHECKPOINT_STORE.value() + ": " + name
            + " is not a level; expected memory, xor, file, fti, scr, or several "
            + "with how often, for instance memory,xor:4,file:20");
    }
  }

  /**
   * SCR for something else than the job's checkpoints, in a folder of its own. There is one SCR in a process: two engines are not
   * to be used in turn.
   *
   * @param shared the folder that all nodes share ({@code SCR_PREFIX})
   * @param option where the user has said it, for messages
   * @throws IllegalArgumentException if a setting cannot be
   * @throws UnsupportedOperationException if SCR is not installed
   */
  public static Engine scrIn(String shared, String option) {
    return ScrEngine.in(shared, option);
  }
}
