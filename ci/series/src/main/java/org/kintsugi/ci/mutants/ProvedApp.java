// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mutants;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.kintsugi.examples.amg.Amg;
import org.kintsugi.examples.comd.Comd;
import org.kintsugi.examples.hpccg.Hpccg;
import org.kintsugi.examples.lulesh.Lulesh;
import org.kintsugi.examples.minife.MiniFe;
import org.kintsugi.examples.minivite.MiniVite;

/** The proxy applications, small enough for a proof. */
public enum ProvedApp {
  /** Conjugate gradients on a structured grid. */
  HPCCG(Hpccg::main, 2, "6 6 6 --iterations 17 --checkpoint-every 5", Map.of()),
  /** AMG's first problem: one solve. */
  AMG1(Amg::main, 2, "-problem 1 -n 4 4 4 -P 2 1 1 --checkpoint-every 3",
      Map.of("x", "the result has no solution, but the residuals, which follow from r")),
  /** AMG's second problem: time steps of several solves. */
  AMG2(Amg::main, 2, "-problem 2 -n 3 3 3 -P 2 1 1 --checkpoint-every 2", Map.of()),
  /** Atoms move from rank to rank. */
  COMD(Comd::main, 2, "-x 8 -y 4 -z 4 -N 12 -n 2 -i 2 -r 0.1 --checkpoint-every 5", Map.of()),
  /** Conjugate gradients on finite elements. */
  MINIFE(MiniFe::main, 2, "-nx 8 -ny 6 -nz 6 --checkpoint-every 5",
      Map.of("breakdown", "only a solve that breaks down needs it")),
  /** It has few iterations, of which the last one needs more than the others. */
  MINIVITE(MiniVite::main, 2, "-p 3 -l -n 512 --checkpoint-every 1",
      Map.of("done", "only a failure after the last iteration needs it, where a proof has no moment")),
  /** Its ranks make up a cube: one rank, whose versions are in files. */
  LULESH(Lulesh::main, 1, "-s 4 -i 12 --checkpoint-every 5", Map.of());

  /** Of every application: what it was asked to compute. */
  private static final Map<String, String> NEEDLESS_FOR_ALL =
      Map.of("arguments", "only a job with other arguments needs it, to refuse the versions");

  /** Items that advice does not name, although the result depends on them. */
  private static final Map<String, String> UNNAMED = Map.of();

  private final Consumer<String[]> main;
  private final int ranks;
  private final List<String> arguments;
  private final Map<String, String> needless;

  /** @param needless items that no result depends on, with the reason */
  ProvedApp(Consumer<String[]> main, int ranks, String arguments, Map<String, String> needless) {
    this.main = main;
    this.ranks = ranks;
    this.arguments = List.of(arguments.split(" "));
    this.needless = needless;
  }

  Consumer<String[]> main() {
    return main;
  }

  /** The number of ranks of a job. */
  public int ranks() {
    return ranks;
  }

  /** The program's arguments. */
  public List<String> arguments() {
    return arguments;
  }

  /**
   * The program's arguments for advice. The time steps of AMG's second problem have an even number of iterations: with saves
   * after every second one, each would begin in an iteration that saves, which is never made again.
   */
  List<String> advisedArguments() {
    List<String> advised = new ArrayList<>(arguments);
    if (this == AMG2) {
      advised.set(advised.size() - 1, "5");
    }
    return advised;
  }

  /** Why the program computes the same without an item; null: it does not. */
  String whyNeedless(String item) {
    return NEEDLESS_FOR_ALL.getOrDefault(item, needless.get(item));
  }

  /** Why advice does not name an item that the result depends on; null: it does. */
  String whyUnnamed(String item) {
    return UNNAMED.get(item);
  }

  /** The setting for where versions are: no other process has a copy of a single rank's data. */
  List<String> store() {
    return List.of("-Dkintsugi.checkpoint.store=" + (ranks == 1 ? "file" : "memory"));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
