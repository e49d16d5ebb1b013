// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.minivite;

import java.util.LinkedHashMap;
import java.util.Map;
import org.kintsugi.examples.app.JobCommand;
import org.kintsugi.examples.app.PictureOption;
import org.kintsugi.examples.app.ProxyApp;
import org.kintsugi.examples.app.Work;
import org.kintsugi.examples.sparse.OneRank;
import org.kintsugi.examples.sparse.MpiRanks;
import org.kintsugi.mpi.Comm;
import org.kintsugi.reinit.WarmUp;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** miniVite under Reinit: loses a process and finishes with the same communities. */
@Command(name = "minivite",
    description = "Finds communities in a random geometric graph by the Louvain method.")
public final class MiniVite extends ProxyApp {
  /** For the progress bar, which is full from there on: few runs need more. */
  private static final int USUAL_ITERATIONS = 20;
  private static final int WARM_UP_VERTICES = 2048;
  private static final int WARM_UP_GRAPHS = 20;
  private static final int MOST_VERTICES_PER_RANK = 1 << 26;

  @Option(names = "-n", paramLabel = "N", required = true, description = "vertices, of all ranks")
  private long vertices;

  @Option(names = "-l", description = "points from the linear congruential generator: needed, there is no other one")
  private boolean congruential;

  @Option(names = "-p", paramLabel = "X", defaultValue = "0", description = "percent of edges between random vertices beside (0)")
  private int percent;

  @Option(names = "-w",
      description = "edges weigh as much as they are long; without it, 1 (with -p: a random edge that spans more than "
          + "two ranks' parts has a random weight instead, as its length is not known)")
  private boolean weighted;

  @Option(names = "-t", paramLabel = "T", defaultValue = "1e-6",
      description = "the least gain of modularity in an iteration that leads to another one: above 0 (1e-6)")
  private double threshold;

  /** Never changes, so a survivor keeps it through a rollback. */
  private Generated generated;

  @Mixin
  private PictureOption picture;

  /** Its options are read by picocli. */
  public MiniVite() {
    super("miniVite");
  }

  /** Runs the program. */
  public static void main(String[] args) {
    JobCommand.run(new MiniVite(), args);
  }

  @Override
  protected void check(int ranks) {
    options().requireAtLeast(0, percent, "-p");
    if (!(threshold > 0 && Double.isFinite(threshold))) {
      throw refuse("-t " + threshold + ": expected a finite number above 0, like 1e-6; as an iteration without a move gains 0, "
          + "the method would not end with less");
    }
    if (!congruential) {
      throw refuse(
          "-l is missing: points from the engine of a C++ library, which the original takes without it, are not provided");
    }
    if (Integer.bitCount(ranks) != 1) {
      throw refuse(ranks + " ranks: expected a power of two, like " + Integer.highestOneBit(ranks));
    }
    checkVertices(ranks);
    if (percent > 0) {
      checkRandomEdges(ranks);
    }
  }

  private void checkVertices(int ranks) {
    String instead = "; -n " + suitableVertices(vertices, ranks) + " would do";
    if (vertices <= 0 || vertices % ranks != 0) {
      throw refuse("-n " + vertices + ": expected vertices that " + ranks + " ranks can share equally" + instead);
    }
    if (vertices / ranks > MOST_VERTICES_PER_RANK) {
      throw refuse("-n " + vertices + ": more than " + MOST_VERTICES_PER_RANK + " vertices on a rank; use more ranks" + instead);
    }
    if (!isStripHighEnough(vertices, ranks)) {
      throw refuse("-n " + vertices + ": vertices " + GraphGenerator.radius(vertices)
          + " apart are linked, but a rank's strip of "
          + ranks + " is only " + 1.0 / ranks + " high, and ranks look no further than the next one; use fewer ranks" + instead);
    }
  }

  private static boolean isStripHighEnough(long vertices, int ranks) {
    return ranks == 1 || GraphGenerator.radius(vertices) < 1.0 / ranks;
  }

  /**
   * The smallest possible number of vertices from the wanted one on; the greatest if there is none.
   */
  static long suitableVertices(long wanted, int ranks) {
    long most = MOST_VERTICES_PER_RANK;
    long perRank = wanted <= 0 ? 1 : Math.min(most, (wanted - 1) / ranks + 1);
    while (perRank < most && !isStripHighEnough(perRank * ranks, ranks)) {
      perRank++;
    }
    return perRank * ranks;
  }

  private void checkRandomEdges(int ranks) {
    if (vertices > MinimalStandard.RANGE) {
      throw refuse(
          "-n " + vertices + " with -p " + percent + ": the generator of random edges tells only " + MinimalStandard.RANGE
              + " vertices apart; use fewer vertices, or -p 0");
    }
    long most = mostPercent(vertices, ranks);
    if (percent > most) {
      throw refuse("-p " + percent + ": on " + ranks + " ranks, more than " + GraphGenerator.MOST_TRIES
          + " random edges for one to try; at most -p " + most + " would do");
    }
  }

  /** The greatest share of random edges that leaves no rank too many. */
  static long mostPercent(long vertices, int ranks) {
    return (long) (100.0 * GraphGenerator.MOST_TRIES * ranks / (1 + GraphGenerator.mostNearPairs(vertices)));
  }

  @Override
  protected PictureOption pictureOption() {
    return picture;
  }

  @Override
  protected Map<String, Object> params(int ranks) {
    Map<String, Object> params = new LinkedHashMap<>();
    params.put("vertices", vertices);
    params.put("random_edge_percent", percent);
    params.put("lcg", congruential);
    params.put("unit_edge_weight", !weighted);
    params.put("threshold", threshold);
    return params;
  }

  @Override
  protected int iterations() {
    return USUAL_ITERATIONS;
  }

  @Override
  protected Work work(Comm world) {
    MpiRanks ranks = new MpiRanks(world);
    try {
      // Random edges need messages: all ranks make their graphs, or none.
      boolean isThere = generated != null && generated.graph().isOf(world.rank(), world.size());
      if (ranks.max(isThere ? 0 : 1) > 0) {
        generated = new GraphGenerator(vertices, percent, !weighted, ranks).generate();
      }
      return new MiniViteWork(generated, world, ranks, threshold);
    } catch (RuntimeException | Error e) { // a rollback among them
      ranks.close();
      throw e;
    }
  }

  @WarmUp
  private static void warmUpCommandLine() {
    new CommandLine(new MiniVite()).parseArgs("-l", "-n", "4");
  }

  /** All but the messages, on a small graph. */
  @WarmUp
  private static void warmUpKernels() {
    OneRank alone = new OneRank();
    for (int i = 0; i < WARM_UP_GRAPHS && !Thread.currentThread().isInterrupted(); i++) {
      Louvain louvain = new Louvain(new GraphGenerator(WARM_UP_VERTICES, 3, true, alone).generate().graph(), alone, 1e-6);
      louvain.begin();
      while (!louvain.isDone()) {
        louvain.iterate();
      }
    }
  }

  @Override
  protected Runnable warmUp() {
    return MiniVite::warmUpKernels;
  }
}
