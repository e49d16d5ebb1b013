// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.test.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.kintsugi.runtime.ExitCodes;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.test.RankJob;
import org.kintsugi.test.TemporaryFolder;

/**
 * A cluster that is simulated on this machine until it is closed. Every node is a network namespace
 * with its own host name, /dev/shm and folder for temporary files; all other files are shared, as
 * on a parallel file system. Nodes can be killed, cut off from the network, and stopped. Needs
 * root, and the programs ip, unshare and mount.
 *
 * <p>Nodes are numbered from 0; mpirun runs on node 0, which must survive.
 */
public final class Cluster implements AutoCloseable {
  /** Exit code of what {@link #start} has started and its time limit has ended. */
  public static final int TIMED_OUT = ExitCodes.TIMED_OUT;

  private static final long MICROS_PER_MILLI = 1000;

  /** Simulated clusters cannot be had here; the message says why. */
  public static final class UnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnavailableException(String message) {
      super(message);
    }
  }

  private final String name = "java" + ProcessHandle.current().pid() + "x" + System.nanoTime() % 1_000_000;
  private final ClusterScript script;
  private final int nodes;
  private final Path folder;
  private final Path hostFile;
  private final Thread hook = new Thread(this::remove);

  private Cluster(ClusterScript script, int... slots) throws IOException {
    this.script = script;
    nodes = slots.length;
    folder = Path.of(script.run("up", name, String.valueOf(nodes)));
    hostFile = Files.writeString(folder.resolve("hosts-java"), IntStream.range(0, nodes).filter(node -> slots[node] > 0)
        .mapToObj(node -> "n" + node + " slots=" + slots[node] + "\n").collect(Collectors.joining()));
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * Makes one.
   *
   * @param slots of each node, which are as many as numbers are given; the first one, on which mpirun runs, may have none
   * @return a cluster that the caller closes
   * @throws UnavailableException where network namespaces are not permitted
   */
  public static Cluster of(int... slots) {
    if (slots.length == 0 || IntStream.of(slots).sum() == 0 || IntStream.of(slots).anyMatch(one -> one < 0)) {
      throw new IllegalArgumentException("slots " + Arrays.toString(slots)
          + ": expected the number of slots of each node, none of them negative and not all zero");
    }
    ClusterScript script = ClusterScript.unpack("cluster.sh", "agent.sh");
    Cluster made = null;
    try {
      made = new Cluster(script, slots);
      return made;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      if (made == null) {
        script.close();
      }
    }
  }

  private String number(int node) {
    if (node < 0 || node >= nodes) {
      throw new IllegalArgumentException("node " + node + ": this cluster has the nodes 0 to " + (nodes - 1));
    }
    return String.valueOf(node);
  }

  /**
   * A program that replaces ssh: for mpirun's {@code plm_ssh_agent}.
   *
   * @return a program
   */
  public Path agent() {
    return folder.resolve("agent");
  }

  /**
   * Names the nodes that have slots: for {@code --hostfile}.
   *
   * @return a file
   */
  public Path hostFile() {
    return hostFile;
  }

  /**
   * Lets each node send no faster than at a rate.
   *
   * @param rate as {@code tc} has it: {@code 10gbit}
   */
  public void limit(String rate) {
    script.run("limit", name, rate);
  }

  /**
   * The beginning of a command line that starts a job on all nodes; it is to run on node 0, as {@link #start} does it.
   *
   * @param mpi what the job runs under
   * @return a list that can be added to: options of jmpirun follow
   */
  public List<String> jmpirun(MpiHome mpi) {
    List<String> line = RankJob.jmpirun(mpi);
    line.addAll(options(mpi.flavour()));
    return line;
  }

  /**
   * The options of {@code jmpirun} for a job on all nodes.
   *
   * @param flavour what the job runs under
   * @return options
   */
  public List<String> options(Flavour flavour) {
    boolean isReinit = flavour == Flavour.REINIT;
    return List.of("--hostfile", hostFile.toString(), isReinit ? "--mca" : "--prtemca",
        isReinit ? "plm_rsh_agent" : "plm_ssh_agent", agent().toString(),
        // The nodes are one machine: all of them would bind to the same cores, and no one knows how many share them.
        "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1");
  }

  /**
   * Runs a main class of this JVM's class path on all nodes, and waits for its end.
   *
   * @param mpi what the job runs under
   * @param limitSeconds when it is killed
   * @param options jmpirun's and java's
   * @param main a class with a main method
   * @param arguments follow the folder for reports, which comes first
   * @return what became of it; its exit code is {@link #TIMED_OUT} if it was killed
   * @throws IOException if it cannot be started, or has left nothing
   * @throws InterruptedException if this thread is interrupted meanwhile
   */
  public RankJob.Outcome run(MpiHome mpi, long limitSeconds, List<String> options, Class<?> main, String... arguments)
      throws IOException, InterruptedException {
    try (TemporaryFolder folder = TemporaryFolder.create("kintsugi-test-")) {
      List<String> line = new ArrayList<>(jmpirun(mpi));
      line.addAll(options);
      line.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")); // many on few cores, and soon at an end
      line.addAll(RankJob.javaArguments(mpi, folder.path(), main, arguments));
      int code = start(limitSeconds, RankJob.Outcome.outputIn(folder.path()), line).waitFor();
      return RankJob.Outcome.of(code, folder.path());
    }
  }

  /**
   * Starts a command on node 0.
   *
   * @param limitSeconds when it is killed
   * @param output the file for what it prints
   * @param command the program and its arguments
   * @return the process, whose exit code is the command's, or {@link #TIMED_OUT}
   * @throws IOException if it cannot be started
   */
  public Process start(long limitSeconds, Path output, List<String> command) throws IOException {
    // jmpirun gets 15 seconds to remove its files and processes.
    List<String> line = new ArrayList<>(List.of("timeout", "-k", "15", String.valueOf(limitSeconds)));
    line.addAll(script.line("exec", name, number(0)));
    line.addAll(command);
    return new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(output.toFile()).start();
  }

  /**
   * Kills all processes of a node as one blow.
   *
   * @param node which
   * @return the time of day when it fell, in milliseconds
   */
  public long crash(int node) {
    return Long.parseLong(script.run("crash", name, number(node))) / MICROS_PER_MILLI;
  }

  /**
   * Takes a node's link down: it falls silent, and its processes go on.
   *
   * @param node which
   * @return the time of day when that was, in milliseconds
   */
  public long cut(int node) {
    return Long.parseLong(script.run("cut", name, number(node))) / MICROS_PER_MILLI;
  }

  /**
   * Takes a node's link down, and stops what runs there.
   *
   * @param node which
   * @return the time of day when that was, in milliseconds
   */
  public long pause(int node) {
    return Long.parseLong(script.run("pause", name, number(node))) / MICROS_PER_MILLI;
  }

  /**
   * Lets a node that was cut off or paused be as before.
   *
   * @param node which
   */
  public void heal(int node) {
    script.run("heal", name, number(node));
  }

  /**
   * Lists processes and files that a job has left on a node.
   *
   * @param node the node's number
   * @param patienceMillis how long to wait for them to go away
   * @return processes, shared memory and temporary files
   */
  public List<String> left(int node, long patienceMillis) {
    return script.left(name, number(node), patienceMillis);
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
