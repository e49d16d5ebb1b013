// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.test.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A real Slurm with several nodes on this machine, until it is closed. Jobs are submitted by {@link #submit}, as by {@code
 * sbatch}; nodes can be killed, cut off from the network, and started again. Each node has a host name, a network, processes,
 * /tmp and /dev/shm of its own, and its slurmd; all other files are shared, as on a parallel file system. Slurm notes the loss of
 * a node after ten seconds (its default is five minutes).
 *
 * <p>Nodes are numbered from 1, as their names are: n1, n2. Needs root, and Debian's packages slurmctld, slurmd, slurm-client and
 * munge.
 */
public final class SlurmCluster implements AutoCloseable {
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long BOOT_SECONDS = 60;
  private static final Pattern FIELD = Pattern.compile("(?:^|\\s)(\\w+)=(\\S+)");

  /**
   * A job that has ended.
   *
   * @param state as Slurm has it: COMPLETED, FAILED, CANCELLED, NODE_FAIL, TIMEOUT; the last one if it was requeued
   * @param exitCode of its script
   * @param restarts how often Slurm has requeued it
   * @param output of all its runs
   */
  public record Ended(String state, int exitCode, int restarts, String output) {}

  /** The states of a job that is over; there are some twenty others, among them those of a moment, as SIGNALING. */
  private static final Set<String> ENDS = Set.of("BOOT_FAIL", "CANCELLED", "COMPLETED", "DEADLINE", "FAILED", "LAUNCH_FAILED",
      "NODE_FAIL", "OUT_OF_MEMORY", "PREEMPTED", "REVOKED", "TIMEOUT");

  private final String name = "java" + ProcessHandle.current().pid() + "x" + System.nanoTime() % 1_000_000;
  private final ClusterScript script;
  private final int nodes;
  private final Path folder;
  private final Thread hook = new Thread(this::remove);

  private SlurmCluster(ClusterScript script, int nodes, int processors) {
    this.script = script;
    this.nodes = nodes;
    folder = Path.of(script.run("up", name, String.valueOf(nodes), String.valueOf(processors)));
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * Makes one. It takes some seconds.
   *
   * @param nodes how many, 1 to 99
   * @param processors of each node, as Slurm counts them: it has as many tasks
   * @return a cluster that the caller closes
   * @throws Cluster.UnavailableException where there is no Slurm, or namespaces are not permitted; says which
   */
  public static SlurmCluster of(int nodes, int processors) {
    ClusterScript script = ClusterScript.unpack("slurm.sh");
    SlurmCluster made = null;
    try {
      made = new SlurmCluster(script, nodes, processors);
      return made;
    } finally {
      if (made == null) {
        script.close();
      }
    }
  }

  /**
   * A folder that all nodes share, for programs and results; the output of jobs is there.
   *
   * @return removed when the cluster is closed
   */
  public Path folder() {
    return folder;
  }

  /**
   * Runs a command where jobs are submitted: {@code squeue}, {@code scontrol}.
   *
   * @param command the program and its arguments
   * @return what it prints
   * @throws IllegalStateException if it fails; says what it printed
   */
  public String run(String... command) {
    List<String> line = new ArrayList<>(List.of("exec", name));
    line.addAll(List.of(command));
    return script.run(line.toArray(new String[0]));
  }

  /**
   * Submits a job, by {@code sbatch}.
   *
   * @param text the job script, with its lines {@code #SBATCH}
   * @param options more of sbatch's
   * @return the number of the job
   */
  public long submit(String text, String... options) {
    try {
      Path file = Files.writeString(Files.createTempFile(folder, "job-", ".sh"), text);
      List<String> line = new ArrayList<>(
          List.of("sbatch", "--parsable", "--chdir=" + folder, "--output=" + folder + "/%j.out", "--open-mode=append"));
      line.addAll(List.of(options));
      line.add(file.toString());
      return Long.parseLong(run(line.toArray(new String[0])));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Waits until a job has printed something.
   *
   * @param job its number
   * @param text what
   * @param limitSeconds how long
   * @throws IllegalStateException if it has not done so by then; with what it has printed
   */
  public void awaitOutput(long job, String text, long limitSeconds) {
    await(limitSeconds, "job " + job + " has not printed \"" + text + "\"", job, () -> output(job).contains(text));
  }

  /**
   * Waits until a job is in a state.
   *
   * @param job its number
   * @param limitSeconds how long
   * @param states as Slurm has them: PENDING, RUNNING
   * @return which of them
   * @throws IllegalStateException if it is in none of them by then; with what it has printed
   */
  public String awaitState(long job, long limitSeconds, String... states) {
    String[] state = {""};
    await(limitSeconds, "job " + job + " is not " + String.join(" or ", states), job, () -> {
      state[0] = field(job, "JobState");
      return List.of(states).contains(state[0]);
    });
    return state[0];
  }

  /**
   * Waits for the end of a job.
   *
   * @param job its number
   * @param limitSeconds the time after which it counts as hung, and is cancelled
   * @return how it ended
   * @throws IllegalStateException if it hangs; with what it has printed
   */
  public Ended await(long job, long limitSeconds) {
    boolean hasEnded = false;
    try {
      await(limitSeconds, "job " + job + " hangs", job, () -> isOver(field(job, "JobState")));
      hasEnded = true;
    } finally {
      if (!hasEnded) {
        run("scancel", String.valueOf(job));
      }
    }
    return new Ended(field(job, "JobState"), Integer.parseInt(field(job, "ExitCode").split(":")[0]),
        Integer.parseInt(field(job, "Restarts")), output(job));
  }

  private static boolean isOver(String state) {
    return ENDS.contains(state);
  }

  /**
   * The jobs of an array. While they wait for nodes, Slurm counts them as one.
   *
   * @param array the number that it was submitted with
   * @return the numbers of its jobs, as {@link #await} takes them
   */
  public List<Long> jobsOf(long array) {
    return FIELD.matcher(run("scontrol", "show", "job", String.valueOf(array))).results()
        .filter(one -> one.group(1).equals("JobId")).map(one -> Long.parseLong(one.group(2))).toList();
  }

  /**
   * A field of {@code scontrol show job}.
   *
   * @param job its number
   * @param field JobState, NodeList
   * @return its value; empty if there is none
   */
  public String field(long job, String field) {
    Matcher fields = FIELD.matcher(run("scontrol", "show", "job", String.valueOf(job)));
    return fields.results().filter(one -> one.group(1).equals(field)).map(one -> one.group(2)).findFirst().orElse("");
  }

  /**
   * What a job has printed so far, on both streams.
   *
   * @param job its number
   * @return empty if it has not begun
   */
  public String output(long job) {
    try {
      Path file = folder.resolve(job + ".out");
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private interface Condition {
    boolean holds();
  }

  private void await(long limitSeconds, String objection, long job, Condition condition) {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(limitSeconds);
    while (!condition.holds()) {
      if (System.nanoTime() - until > 0) {
        throw new IllegalStateException(
            objection + " within " + limitSeconds + " s" + (job == 0 ? "" : ". It has printed:\n" + output(job)));
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  /**
   * Kills all processes of a node as one blow: slurmd, what it has started for a job, and the job's processes.
   *
   * @param node its number
   */
  public void crash(int node) {
    script.run("crash", name, number(node));
  }

  /**
   * Takes a node's link down: it falls silent, and its processes go on.
   *
   * @param node its number
   */
  public void cut(int node) {
    script.run("cut", name, number(node));
  }

  /**
   * Starts nodes again that have crashed, and lets those that were cut off be as before. Returns when Slurm may use all of them.
   *
   * @param numbers of the nodes; one that is well stays as it is
   * @throws IllegalStateException if Slurm may not use one of them after a minute
   */
  public void boot(int... numbers) {
    for (int node : numbers) {
      script.run("boot", name, number(node));
    }
    for (int node : numbers) {
      await(BOOT_SECONDS, "Slurm may not use n" + node, 0, () -> isUsable(run("sinfo", "-h", "-n", "n" + node, "-o", "%t")));
    }
  }

  private static boolean isUsable(String state) {
    return List.of("idle", "mix", "alloc").contains(state);
  }

  /**
   * Lists processes and files that jobs have left on a node.
   *
   * @param node its number
   * @param patienceMillis how long to wait for them to go away
   * @return processes, shared memory and temporary files
   */
  public List<String> left(int node, long patienceMillis) {
    return script.left(name, number(node), patienceMillis);
  }

  private String number(int node) {
    if (node < 1 || node > nodes) {
      throw new IllegalArgumentException("node " + node + ": this cluster has the nodes 1 to " + nodes);
    }
    return String.valueOf(node);
  }

  private void remove() {
    script.run("down", name);
    script.close();
  }

  @Override
  public void close() {
    remove();
    Runtime.getRuntime().removeShutdownHook(hook);
  }
}
