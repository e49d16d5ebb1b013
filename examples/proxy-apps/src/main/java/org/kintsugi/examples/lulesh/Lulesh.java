// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.lulesh;

import java.util.LinkedHashMap;
import java.util.Map;
import org.kintsugi.examples.app.JobCommand;
import org.kintsugi.examples.app.PictureOption;
import org.kintsugi.examples.app.ProxyApp;
import org.kintsugi.examples.app.Work;
import org.kintsugi.mpi.Comm;
import org.kintsugi.reinit.WarmUp;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** LULESH under Reinit: loses a process and finishes with the same energies, bit for bit. */
@Command(name = "lulesh",
    description = "A point blast on hexahedra; every rank owns a cube of S x S x S elements, and the ranks make up a cube.")
public final class Lulesh extends ProxyApp {
  /** Such a cube takes more than 100 GB; Java's arrays end at 1289, as they have a number for each node. */
  private static final int LONGEST_EDGE = 800;
  private static final int WARM_UP_EDGE = 10;
  private static final int WARM_UP_CYCLES = 2000;

  @Option(names = "-s", paramLabel = "S", defaultValue = "30", description = "elements along an edge of each rank's cube (30)")
  private int edge;

  @Option(names = "-i", paramLabel = "I", defaultValue = "9999999", description = "the most cycles (9999999: to the end)")
  private int cycles;

  @Option(names = "-r", paramLabel = "R", defaultValue = "11",
      description = "regions of the material (11): of the original they only raise the cost, here they change nothing")
  private int regions;

  @Option(names = "-b", paramLabel = "B", defaultValue = "1",
      description = "how much regions differ in size (1): changes nothing")
  private int balance;

  @Option(names = "-c", paramLabel = "C", defaultValue = "1", description = "extra cost of regions (1): changes nothing")
  private int cost;

  @Option(names = "-p", description = "print every cycle")
  private boolean printsCycles;

  @Mixin
  private PictureOption picture;

  /** Its options are read by picocli. */
  public Lulesh() {
    super("LULESH");
  }

  /** Runs the program. */
  public static void main(String[] args) {
    JobCommand.run(new Lulesh(), args);
  }

  @Override
  protected void check(int ranks) {
    options().requirePositive(edge, "-s");
    if (edge > LONGEST_EDGE) {
      throw refuse("-s " + edge + " is too large for one rank: at most " + LONGEST_EDGE);
    }
    options().requirePositive(cycles, "-i");
    options().requirePositive(regions, "-r");
    options().requireAtLeast(0, balance, "-b");
    options().requireAtLeast(0, cost, "-c");
    int perEdge = ranksPerEdge(ranks);
    if (perEdge * perEdge * perEdge != ranks) {
      int more = perEdge + 1;
      throw refuse("the ranks make up a cube, and " + ranks + " ranks do not: " + perEdge * perEdge * perEdge + " or "
          + more * more * more + " would do");
    }
  }

  private static int ranksPerEdge(int ranks) {
    int perEdge = 1;
    while ((perEdge + 1) * (perEdge + 1) * (perEdge + 1) <= ranks) {
      perEdge++;
    }
    return perEdge;
  }

  @Override
  protected PictureOption pictureOption() {
    return picture;
  }

  @Override
  protected Map<String, Object> params(int ranks) {
    Map<String, Object> params = new LinkedHashMap<>();
    params.put("elements_per_edge_per_rank", edge);
    params.put("ranks_per_edge", ranksPerEdge(ranks));
    params.put("max_iterations", cycles);
    params.put("regions", regions);
    params.put("region_balance", balance);
    params.put("region_cost", cost);
    return params;
  }

  @Override
  protected int iterations() {
    return cycles;
  }

  @Override
  protected Work work(Comm world) {
    return new LuleshWork(new Block(edge, ranksPerEdge(world.size()), world.rank()), world, cycles, printsCycles);
  }

  @WarmUp
  private static void warmUpCommandLine() {
    new CommandLine(new Lulesh()).parseArgs("-s", "4", "-i", "1");
  }

  /** All but the messages, on a small block. */
  @WarmUp
  private static void warmUpKernels() {
    try (Hydrodynamics blast = new Hydrodynamics(new Block(WARM_UP_EDGE, 1, 0), null)) {
      for (int k = 1; k <= WARM_UP_CYCLES && !blast.time.isOver() && !Thread.currentThread().isInterrupted(); k++) {
        blast.cycle();
      }
    }
  }

  @Override
  protected Runnable warmUp() {
    return Lulesh::warmUpKernels;
  }
}
