// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.kintsugi.checkpoint.engine.Engine;
import org.kintsugi.checkpoint.engine.EngineProvider;
import org.kintsugi.checkpoint.internal.LevelsEngine;
import org.kintsugi.checkpoint.internal.files.FileEngine;
import org.kintsugi.checkpoint.internal.memory.MemoryEngine;
import org.kintsugi.checkpoint.internal.memory.XorEngine;
import org.kintsugi.runtime.internal.Schedule;

/** Chooses the job's engine: {@link CheckpointConfig#STORE}. Engines of others are found by their {@link EngineProvider}. */
final class Engines {
  private static final String MEMORY = "memory";
  private static final String XOR = "xor";
  private static final String FILE = "file";

  private Engines() {}

  /** With {@code outsideRun} engines that work in a Reinit run only are refused. */
  static Engine engineOfJob(String nodeName, boolean outsideRun) {
    CheckpointConfig mtbf = CheckpointConfig.MTBF_SECONDS;
    if (mtbf.longValue() < 1) {
      throw new IllegalArgumentException("-D" + mtbf.property() + "=" + mtbf.value()
          + ": the mean time between failures is a whole number of seconds, 1 or greater");
    }
    Schedule schedule = Schedule.parse(CheckpointConfig.STORE.property(), CheckpointConfig.STORE.value());
    if (schedule.names().size() > 1) {
      for (String name : schedule.names()) {
        requireOneAmongOthers(name);
      }
    }
    List<Engine> engines = new ArrayList<>();
    for (String name : schedule.names()) {
      if (outsideRun) {
        requireForEveryProgram(name);
      }
      engines.add(named(name, nodeName));
    }
    return engines.size() == 1 ? engines.get(0) : new LevelsEngine(schedule, engines);
  }

  private static void requireForEveryProgram(String name) {
    if (!isOwn(name) && provider(name).isForRunsOnly()) {
      throw new UnsupportedOperationException(asked() + name + " is left by a Reinit run when a process has died, and cannot be "
          + "left without one: use Reinit.run, or memory, xor or file with Checkpoint.on");
    }
  }

  private static void requireOneAmongOthers(String name) {
    EngineProvider provider = isOwn(name) ? null : provider(name);
    String why = provider == null ? null : provider.whyAlone();
    if (why != null) {
      throw new IllegalArgumentException(asked() + why);
    }
  }

  /**
   * One engine, for code that drives it itself.
   *
   * @param name as in {@link CheckpointConfig#STORE}, one level
   * @param nodeName the node of this process
   * @return to be bound before it is used, and closed by the caller
   * @throws IllegalArgumentException if there is none of that name
   * @throws UnsupportedOperationException if its library is not installed
   */
  static Engine named(String name, String nodeName) {
    return switch (name) {
      case MEMORY -> new MemoryEngine(nodeName, CheckpointConfig.STORE);
      case XOR -> new XorEngine(nodeName, CheckpointConfig.XOR_GROUP, CheckpointConfig.STORE);
      case FILE -> new FileEngine(CheckpointConfig.DIR, CheckpointConfig.KEPT_RUNS);
      default -> provider(name).make(nodeName);
    };
  }

  private static boolean isOwn(String name) {
    return name.equals(MEMORY) || name.equals(XOR) || name.equals(FILE);
  }

  /** Only for names that are none of this package's own: ranks are not to pay for this search as they start. */
  private static EngineProvider provider(String name) {
    StringBuilder names = new StringBuilder(MEMORY + ", " + XOR + ", " + FILE);
    for (EngineProvider provider : ServiceLoader.load(EngineProvider.class)) {
      if (provider.name().equals(name)) {
        return provider;
      }
      names.append(", ").append(provider.name());
    }
    throw new IllegalArgumentException(asked() + name + " is not a level; expected " + names + ", or several with how often, for "
        + "instance memory,xor:4,file:20");
  }

  private static String asked() {
    return "-D" + CheckpointConfig.STORE.property() + "=" + CheckpointConfig.STORE.value() + ": ";
  }
}
