// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.kintsugi.ci.ranks.TestLibrary;
import org.kintsugi.examples.hpccg.Hpccg;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.test.RankJob;
import org.kintsugi.test.TemporaryFolder;
import org.kintsugi.test.cluster.Cluster;

/**
 * HPCCG under jmpirun on a simulated cluster, which loses a node in the middle.
 *
 * <p>Node 1 is lost with ranks 2 and 3. Every setter returns this object.
 *
 * <p>ULFM: 4 ranks and 2 spares, two processes on each of three nodes, the spares on the last.
 * Reinit++: 6 ranks on three nodes of two, and a fourth node that is empty. So in both flavours
 * some survivors are on a node that is not mpirun's, whose daemon must detect the loss over the
 * network.
 */
public final class HpccgJob {
  /** The node that is lost. */
  public static final int LOST_NODE = 1;

  /**
   * Points per rank and direction. The work takes seconds, so a loss can come at any point of it.
   */
  private static final int EDGE = 40;
  private static final int ITERATIONS = 400;
  /** A job alone on the machine takes some ten seconds; but tests run in parallel. */
  private static final long LIMIT_SECONDS = 120;
  private static final int EARLY_PERCENT = 15;
  private static final Pattern PROGRESS = Pattern.compile("HPCCG\\s+(\\d+)%");
  /** Two results are the same if these figures are. */
  private static final List<String> FIGURES = List.of("iterations", "residuals", "sumX", "maxError");

  /** How node 1 is lost. */
  public enum Loss {
    /** Not at all. */
    NONE,
    /** All its processes are killed from outside, by the test that runs the cluster. */
    CRASH,
    /** Its link is taken down. */
    CUT,
    /** Its link is taken down and its processes are stopped; {@link #AWAY_MILLIS} later it is back. */
    AWAY
  }

  /** Longer than it takes until the node is declared failed. */
  private static final long AWAY_MILLIS = 5000;

  /**
   * The outcome of a job.
   *
   * @param exitCode of jmpirun
   * @param output what it and the ranks printed
   * @param result what HPCCG reported; null if it did not
   * @param lossMillis the time of day when the node was lost; 0 if this class has not lost it
   * @param isBack whether a node that was away came back before the end
   * @param left remaining files and processes on surviving nodes, and processes on a cut-off node
   */
  public record Outcome(int exitCode, String output, JsonNode result, long lossMillis, boolean isBack, List<String> left) {
    /** Whether it ended well, and with a result. */
    public boolean isFinished() {
      return exitCode == 0 && result != null;
    }

    /** Whether the answer is the same, bit for bit. */
    public boolean isSameAs(Outcome other) {
      return FIGURES.stream().allMatch(figure -> result.get(figure).equals(other.result.get(figure)));
    }

    /** The time from the loss until rank 0 went on with its loop. */
    public long lossToLoopMillis() {
      return result.at("/resumptions/0/epochMillis").asLong() - lossMillis;
    }
  }

  private final MpiHome mpi;
  private final boolean isReinit;
  private Loss loss = Loss.NONE;
  private long delayMillis;
  private int percent = EARLY_PERCENT;
  private int edge = EDGE;
  private int iterations = ITERATIONS;
  private int[] slots;
  private int ranks;
  private int spares;
  private final List<Integer> killed = new ArrayList<>();
  private final List<Path> preloaded = new ArrayList<>();
  private final List<String> options = new ArrayList<>();
  private final List<String> jvmOptions = new ArrayList<>();

  /** A job under an MPI. */
  public HpccgJob(MpiHome mpi) {
    this.mpi = mpi;
    isReinit = mpi.flavour() == Flavour.REINIT;
    slots = isReinit ? new int[] {2, 2, 2, 2} : new int[] {2, 2, 2};
    ranks = isReinit ? 6 : 4;
    spares = isReinit ? 1 : 2;
    if (isReinit) {
      options("--spare-nodes", "1");
    }
  }

  /** The placement of the ranks, in words. */
  public String layout() {
    return isReinit ? "6 ranks on 3 nodes of 2 and an empty node" : "4 ranks and 2 spares on 3 nodes of 2";
  }

  /** Whether the MPI survives the loss of a node. The fork and the project's Open MPI do. */
  public boolean isNodeLossSurvivable() {
    return isReinit || mpi.isPatched();
  }

  /**
   * Has node 1 lost some time after the loop reaches the share of {@link #after}.
   *
   * @param andMillis this time
   */
  public HpccgJob lose(Loss how, long andMillis) {
    loss = how;
    delayMillis = andMillis;
    return this;
  }

  /** Has the loss come only after this share of the loop. */
  public HpccgJob after(int percentOfLoop) {
    percent = percentOfLoop;
    return this;
  }

  /** A rank kills its node in an iteration. */
  public HpccgJob killNodeOf(int rank, int iteration) {
    killed.add(rank);
    return options("--kill", "node:" + rank + "@" + iteration);
  }

  /** Adds options for jmpirun or mpirun. */
  public HpccgJob options(String... more) {
    options.addAll(List.of(more));
    return this;
  }

  /** Sets the number of points of each rank in each direction, instead of 40. */
  public HpccgJob edge(int points) {
    edge = points;
    return this;
  }

  /** Sets the number of iterations, instead of 400. */
  public HpccgJob iterations(int count) {
    iterations = count;
    return this;
  }

  /**
   * Slows each sum over all ranks down, of which an iteration has three.
   *
   * <p>So a small problem lasts longer, and uses no processor time for that.
   */
  public HpccgJob paced(int millis) {
    return preload("paced").options("-x", "KINTSUGI_PACE=" + millis);
  }

  /** Loads a library of the tests into each rank. */
  public HpccgJob preload(String library) {
    preloaded.add(TestLibrary.of(mpi.flavour(), library));
    return this;
  }

  /** Gives the nodes other slots, and the job other ranks and spares. */
  public HpccgJob slots(int ofRanks, int spareProcesses, int... ofNodes) {
    ranks = ofRanks;
    spares = spareProcesses;
    slots = ofNodes.clone();
    return this;
  }

  /** For a job that computes for a second or so: the JVM's optimising compiler would cost it more time than it saves. */
  public HpccgJob isShort() {
    jvmOptions.add("-XX:TieredStopAtLevel=1");
    return this;
  }

  /** Keeps checkpoints in files instead of memory. */
  public HpccgJob fileStore() {
    return store("file");
  }

  /** Keeps checkpoints as {@code -Dkintsugi.checkpoint.store} has it. */
  public HpccgJob store(String store) {
    jvmOptions.add("-Dkintsugi.checkpoint.store=" + store);
    return this;
  }

  /** Runs it. */
  public Outcome run() {
    try (TemporaryFolder folder = TemporaryFolder.create("kintsugi-nodes-"); Cluster cluster = Cluster.of(slots)) {
      return run(cluster, folder.path());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Outcome run(Cluster cluster, Path folder) throws IOException {
    Path output = folder.resolve("output");
    Path json = folder.resolve("json");
    Process job = cluster.start(LIMIT_SECONDS, output, command(cluster, folder, json));
    long lost = 0;
    try {
      if (loss != Loss.NONE && awaitProgress(job, output)) {
        TimeUnit.MILLISECONDS.sleep(delayMillis);
        lost = lose(cluster);
      }
      boolean isOver = loss != Loss.AWAY || job.waitFor(AWAY_MILLIS, TimeUnit.MILLISECONDS);
      if (!isOver) {
        cluster.heal(LOST_NODE);
      }
      int code = job.waitFor();
      JsonNode result = Files.exists(json) ? new ObjectMapper().readTree(json.toFile()) : null;
      return new Outcome(code, Files.readString(output), result, lost, !isOver, left(cluster));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } finally {
      job.destroyForcibly();
    }
  }

  private long lose(Cluster cluster) {
    return switch (loss) {
      case CRASH -> cluster.crash(LOST_NODE);
      case CUT -> cluster.cut(LOST_NODE);
      case AWAY -> cluster.pause(LOST_NODE);
      case NONE -> 0;
    };
  }

  private List<String> command(Cluster cluster, Path folder, Path json) {
    List<String> line = new ArrayList<>(cluster.jmpirun(mpi));
    line.addAll(List.of("-n", String.valueOf(ranks), "--spares", String.valueOf(spares)));
    line.addAll(options);
    if (!preloaded.isEmpty()) {
      line.addAll(
          List.of("-x", "LD_PRELOAD=" + preloaded.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator))));
    }
    line.addAll(jvmOptions);
    line.add("-Dkintsugi.checkpoint.dir=" + folder.resolve("checkpoints"));
    line.addAll(RankJob.classes(mpi));
    line.add(Hpccg.class.getName());
    String points = String.valueOf(edge);
    line.addAll(
        List.of(points, points, points, "--iterations", String.valueOf(iterations), "--json", json.toString(), "--progress"));
    return line;
  }

  private boolean awaitProgress(Process job, Path output) throws IOException, InterruptedException {
    while (job.isAlive()) {
      Matcher progress = PROGRESS.matcher(Files.readString(output));
      while (progress.find()) {
        if (Integer.parseInt(progress.group(1)) >= percent) {
          return true;
        }
      }
      TimeUnit.MILLISECONDS.sleep(10);
    }
    return false;
  }

  private List<String> left(Cluster cluster) {
    List<String> all = new ArrayList<>();
    for (int node = 0; node < slots.length; node++) {
      boolean isLost = node == LOST_NODE && loss != Loss.NONE || isKilled(node);
      // Files may stay on a lost node.
      for (String one : cluster.left(node, !isLost ? 30_000 : loss == Loss.CRASH ? 0 : 5000)) {
        // The files of a lost node are lost with it, but its processes must end.
        if (!isLost || one.startsWith("process")) {
          all.add("n" + node + ": " + one);
        }
      }
    }
    return all;
  }

  /** Whether a rank that kills its node is there, if no rank has moved before. */
  private boolean isKilled(int node) {
    int first = Arrays.stream(slots).limit(node).sum();
    return killed.stream().anyMatch(rank -> rank >= first && rank < first + slots[node]);
  }
}
