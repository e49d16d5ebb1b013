// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.Run;
import org.kintsugi.reinit.RunResult;
import org.kintsugi.runtime.JobConfig;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.test.RankJob;
import org.kintsugi.test.TemporaryFolder;
import org.kintsugi.test.cluster.Cluster;

/**
 * One job on a simulated cluster that loses one node after the other.
 *
 * <p>Each node comes back, and new processes start on it. All nodes but mpirun's are lost in turns.
 * The next one is lost only when the job has as many processes as at its start.
 */
public final class ReturningNodes {
  /** The time from the loss of a node to its return. */
  private static final long AWAY_MILLIS = 5000;
  private static final long LOOK_MILLIS = 100;
  /** The job must be complete for this time before the next loss. Processes may be starting. */
  private static final long FULL_MILLIS = 3000;
  /** Enough for a loss, the node's return, and the start of JVMs at high load. */
  private static final long SECONDS_PER_LOSS = 90;
  private static final long SECONDS = 120;
  private static final String ALIVE = "alive-";
  private static final String STOP = "stop";

  /** How a node is lost. */
  public enum Loss {
    /** All that runs there is killed. */
    CRASH,
    /** Its link is taken down. */
    CUT,
    /** Its link is taken down, and what runs there is stopped. */
    PAUSE
  }

  /**
   * The outcome of the job.
   *
   * @param job of the processes
   * @param losses that there were
   * @param refilled the nodes on which processes were started while the job ran, in the order of their names
   * @param seconds from each loss to as many processes as at the start, all well for three seconds
   * @param left remaining files and processes on nodes
   */
  public record Outcome(RankJob.Outcome job, int losses, Set<String> refilled, List<Double> seconds, List<String> left) {}

  /** Runs in the ranks: sums until the file {@link #STOP} is there. */
  static final class Sums {
    private static final long STEP_MILLIS = 5;
    private static final int SAVE_EVERY = 20;

    private Sums() {}

    public static void main(String[] args) throws IOException {
      String host = Files.readString(Path.of("/proc/sys/kernel/hostname")).trim();
      RankJob.report(args[0], ALIVE + ProcessHandle.current().pid(), host + " " + JobConfig.STARTED.longValue());
      try (Mpi mpi = Mpi.init(args)) {
        RunResult<Result> outcome = Reinit.call(mpi, run -> sum(run, Path.of(args[0], STOP)));
        if (!outcome.stayedSpare()) {
          RankJob.report(args[0], String.valueOf(outcome.value().rank), outcome.value().text);
        }
      }
    }

    /** The report of a rank. */
    private record Result(int rank, String text) {}

    private static Result sum(Run run, Path stop) {
      Comm world = run.world();
      Checkpoint checkpoint = run.checkpoint();
      double[] sum = new double[1];
      checkpoint.protect("sum", sum);
      long step = checkpoint.restore().orElse(0);
      if (step == 0) {
        sum[0] = 0;
      }
      double[] one = new double[2];
      double[] all = new double[2];
      while (all[1] == 0) {
        run.iteration(step);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(STEP_MILLIS));
        one[0] = world.rank() + step;
        one[1] = world.rank() == 0 && Files.exists(stop) ? 1 : 0;
        world.allReduce(Buf.wrap(one), Buf.wrap(all), Op.SUM);
        sum[0] += all[0];
        if (step % SAVE_EVERY == 0) {
          checkpoint.save(step + 1);
        }
        step++;
      }
      double ranks = world.size();
      double expected = ranks * (step * (step - 1.0) / 2) + step * (ranks * (ranks - 1) / 2);
      return new Result(world.rank(),
          (sum[0] == expected ? "right" : "wrong, " + sum[0] + " instead of " + expected) + " after " + run.epoch());
    }
  }

  private final MpiHome mpi;
  private final int spares;
  private final int[] slots;
  private boolean areChanged;
  private boolean areLimited;
  /** The numbers of the processes that were lost with their nodes. Some live on for a while. */
  private final Set<Long> lost = new HashSet<>();

  /**
   * A job with as many processes as there are slots.
   *
   * @param spares the number of spares among them
   * @param slots of each node; mpirun's is the first one
   */
  public ReturningNodes(MpiHome mpi, int spares, int... slots) {
    this.mpi = mpi;
    this.spares = spares;
    this.slots = slots.clone();
  }

  /**
   * Has each node come back with other processors than it had, by what its daemon sees.
   *
   * @return this
   */
  public ReturningNodes changed() {
    areChanged = true;
    return this;
  }

  /**
   * Has the host file limit the processes of each node to its slots, so that only places of dead ones are free.
   *
   * @return this
   */
  public ReturningNodes limited() {
    areLimited = true;
    return this;
  }

  private int processes() {
    return Arrays.stream(slots).sum();
  }

  /**
   * Runs it.
   *
   * @param losses one after the other
   * @return what became of it
   */
  public Outcome run(Loss... losses) throws IOException, InterruptedException {
    try (Cluster cluster = Cluster.of(slots); TemporaryFolder folder = TemporaryFolder.create("kintsugi-test-")) {
      if (areLimited) {
        limitNodes(cluster);
      }
      long limit = SECONDS + SECONDS_PER_LOSS * losses.length;
      Process job = cluster.start(limit, RankJob.Outcome.outputIn(folder.path()), command(cluster, folder.path()));
      List<Double> seconds = new ArrayList<>();
      try {
        boolean isFull = awaitAll(job, folder.path());
        if (areChanged) {
          changeNodes(cluster);
        }
        for (int i = 0; i < losses.length && isFull; i++) {
          long began = System.nanoTime();
          int node = 1 + i % (slots.length - 1);
          lost.addAll(processesOn("n" + node, folder.path()));
          lose(cluster, losses[i], node, job);
          isFull = awaitAll(job, folder.path());
          seconds.add((System.nanoTime() - began) / 1e9);
        }
        Files.createFile(folder.path().resolve(STOP));
        int code = job.waitFor();
        return new Outcome(RankJob.Outcome.of(code, folder.path()), seconds.size(), refilled(folder.path()), seconds,
            left(cluster));
      } finally {
        job.destroyForcibly();
      }
    }
  }

  private List<String> command(Cluster cluster, Path folder) {
    List<String> line = new ArrayList<>(cluster.jmpirun(mpi));
    line.addAll(List.of("-n", String.valueOf(processes() - spares), "--spares", String.valueOf(spares), "--refill",
        "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx64m"));
    line.addAll(RankJob.javaArguments(mpi, folder, Sums.class));
    return line;
  }

  private static void limitNodes(Cluster cluster) throws IOException {
    String hosts = Files.readString(cluster.hostFile());
    Files.writeString(cluster.hostFile(), hosts.replaceAll("slots=(\\d+)", "slots=$1 max_slots=$1"));
  }

  /** Has processes see three cores that are started on the nodes from now on. */
  private static void changeNodes(Cluster cluster) throws IOException {
    Path agent = cluster.agent();
    Path real = Files.move(agent, agent.resolveSibling("agent-real"));
    Path aside = Files.writeString(agent.resolveSibling("agent-aside"), """
        #!/bin/sh
        host=$1
        shift
        exec %s "$host" "export HWLOC_SYNTHETIC='pack:1 core:3 pu:1' HWLOC_THISSYSTEM=1;" "$@"
        """.formatted(real));
    Files.setPosixFilePermissions(aside, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.move(aside, agent);
  }

  private static void lose(Cluster cluster, Loss loss, int node, Process job) throws InterruptedException {
    switch (loss) {
      case CRASH -> cluster.crash(node);
      case CUT -> cluster.cut(node);
      default -> cluster.pause(node);
    }
    job.waitFor(AWAY_MILLIS, TimeUnit.MILLISECONDS);
    if (loss != Loss.CRASH) {
      cluster.heal(node);
    }
  }

  /** False: the job has ended. */
  private boolean awaitAll(Process job, Path folder) throws IOException, InterruptedException {
    long fullSince = System.nanoTime();
    while (System.nanoTime() - fullSince < TimeUnit.MILLISECONDS.toNanos(FULL_MILLIS)) {
      if (job.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        return false;
      }
      fullSince = living(folder) < processes() ? System.nanoTime() : fullSince;
    }
    return true;
  }

  private static List<Path> reportsOfProcesses(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(file -> file.getFileName().toString().startsWith("report-" + ALIVE)).toList();
    }
  }

  private static long number(Path report) {
    String name = report.getFileName().toString();
    return Long.parseLong(name.substring(name.lastIndexOf('-') + 1));
  }

  private static Set<Long> processesOn(String host, Path folder) throws IOException {
    Set<Long> numbers = new HashSet<>();
    for (Path report : reportsOfProcesses(folder)) {
      if (Files.readString(report).startsWith(host + " ")) {
        numbers.add(number(report));
      }
    }
    return numbers;
  }

  private long living(Path folder) throws IOException {
    return reportsOfProcesses(folder).stream().map(ReturningNodes::number)
        .filter(number -> !lost.contains(number) && ProcessHandle.of(number).map(ProcessHandle::isAlive).orElse(false)).count();
  }

  private static Set<String> refilled(Path folder) throws IOException {
    Set<String> hosts = new TreeSet<>();
    for (Path report : reportsOfProcesses(folder)) {
      String[] hostAndNumber = Files.readString(report).split(" ");
      if (!hostAndNumber[1].equals("0")) {
        hosts.add(hostAndNumber[0]);
      }
    }
    return hosts;
  }

  /** Files may stay on a lost node. */
  private List<String> left(Cluster cluster) {
    List<String> all = new ArrayList<>();
    for (int node = 0; node < slots.length; node++) {
      for (String one : cluster.left(node, node == 0 ? 30_000 : 5000)) {
        if (node == 0 || one.startsWith("process")) {
          all.add("n" + node + ": " + one);
        }
      }
    }
    return all;
  }
}
