// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments.persist;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.kintsugi.examples.experiments.Launcher;

/** One job of a program of the paper, which may lose a process. */
final class ProgramRun extends PersistRun {
  private static final int RANKS = 2;
  /** No failure comes before the second iteration: a run that has not begun has nothing to lose. */
  private static final int FIRST = 2;

  /** A rank prints it if it ends without the failure that was planned for it. */
  private static final String NEVER_STRUCK = "never struck";

  private final PersistProgram program;
  private final int faults;
  private final String kill;

  /** @param faults failures: 0 or 1 */
  ProgramRun(String experiment, String size, int limitSeconds, int repetition, long seed, PersistStore store,
      PersistProgram program, int faults) {
    super(experiment, size, limitSeconds, repetition, RANKS, store);
    this.program = program;
    this.faults = faults;
    // The same for all stores.
    SplittableRandom random = new SplittableRandom(Objects.hash(seed, program.word()) * 1_000_003L + repetition);
    kill = "process:" + random.nextInt(RANKS) + "@" + random.nextInt(FIRST, program.iterations);
  }

  @Override
  public String key() {
    return key(program.word() + "/" + faults + "-faults", Objects.hash(kill));
  }

  @Override
  public void describe(ObjectNode line) {
    describe(line, program.word(), "recovery", faults).putArray("kills");
    if (faults > 0) {
      line.withArray("kills").add(kill);
    }
  }

  @Override
  List<String> command(Launcher launcher, Path folder) {
    List<String> options = new ArrayList<>(List.of("--spares", "1", "--refill=false"));
    if (faults > 0) {
      options.addAll(List.of("--kill", kill));
    }
    return launcher.command(ranks(), limitSeconds(), options, properties(folder), program.main, program.arguments(folder));
  }

  @Override
  public String measure(Path folder, ObjectNode line) throws IOException {
    if (Files.readString(folder.resolve("output")).contains(NEVER_STRUCK)) {
      return kill + " did not happen";
    }
    return program.measure(folder, faults, line);
  }
}
