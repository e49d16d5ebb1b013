// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.kintsugi.ci.ranks.RankJob;
import org.kintsugi.ci.ranks.TemporaryFolder;
import org.kintsugi.runtime.ExitCodes;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;

/** A cluster of network namespaces on this machine, for as long as it is open: {@code ci/cluster/cluster.sh}, from Java. */
public final class Cluster implements AutoCloseable {
  /** Exit code of what {@link #start} has started and its time limit has ended. */
  public static final int TIMED_OUT = ExitCodes.TIMED_OUT;

  private static final int NOT_PERMITTED = 77;
  private static final long COMMAND_SECONDS = 60;
  private static final long MICROS_PER_MILLI = 1000;

  /** Simulated clusters cannot be had here; the message says why. */
  public static final class UnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnavailableException(String message) {
      super(message);
    }
  }

  private final String name;
  private final Path folder;
  private final Path hostFile;
  private final Thread hook = new Thread(this::remove);

  private Cluster(String name, Path folder, int... slots) throws IOException {
    this.name = name;
    this.folder = folder;
    hostFile = Files.writeString(folder.resolve("hosts-java"), IntStream.range(0, slots.length).filter(node -> slots[node] > 0)
        .mapToObj(node -> "n" + node + " slots=" + slots[node] + "\n").collect(Collectors.joining()));
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * Makes one.
   *
   * @param slots of each node; the first one, on which mpirun runs, may have none
   * @throws UnavailableException where network namespaces are not permitted
   */
  public static Cluster of(int... slots) {
    String name = "java" + ProcessHandle.current().pid() + "x" + System.nanoTime() % 1_000_000;
    try {
      Answer answer = script("up", name, String.valueOf(slots.length));
      if (answer.code == NOT_PERMITTED) {
        throw new UnavailableException(answer.output.strip());
      }
      return new Cluster(name, Path.of(answer.expectSuccess().strip()), slots);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private record Answer(int code, String output) {
    String expectSuccess() {
      if (code != 0) {
        throw new IllegalStateException("cluster.sh ended with " + code + ": " + output);
      }
      return output;
    }
  }

  private static Path scriptPath() {
    try {
      // From ci/target/classes: ci/cluster.
      Path classes = Path.of(Cluster.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      return classes.resolve("../../cluster/cluster.sh").normalize();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Answer script(String... arguments) {
    List<String> line = new ArrayList<>(List.of(scriptPath().toString()));
    line.addAll(Arrays.asList(arguments));
    try {
      Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes());
      if (!process.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IllegalStateException("cluster.sh " + String.join(" ", arguments) + " hung");
      }
      return new Answer(process.exitValue(), output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Takes the place of ssh: for {@code plm_ssh_agent}. */
  public Path agent() {
    return folder.resolve("agent");
  }

  /** Names the nodes and their slots: for {@code --hostfile}. */
  public Path hostFile() {
    return hostFile;
  }

  /** Lets each node send no more than at a rate, as {@code tc} has it: {@code 10gbit}. */
  public void limit(String rate) {
    script("limit", name, rate).expectSuccess();
  }

  /** The beginning of a command line that starts a job on all nodes. */
  public List<String> jmpirun(MpiHome mpi) {
    boolean isReinit = mpi.flavour() == Flavour.REINIT;
    List<String> line = RankJob.jmpirun(mpi);
    line.addAll(List.of("--hostfile", hostFile.toString(), isReinit ? "--mca" : "--prtemca",
        isReinit ? "plm_rsh_agent" : "plm_ssh_agent", agent().toString(),
        // The nodes are one machine: all of them would bind to the same cores, and no one knows how many share them.
        "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1"));
    return line;
  }

  /**
   * Runs a main class of this JVM's class path on all nodes.
   *
   * @param limitSeconds when it is killed
   * @param options jmpirun's and java's
   * @param arguments follow the folder for reports, which comes first
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

  /** Starts a command on node 0, with a time limit behind which it is killed. */
  public Process start(long limitSeconds, Path output, List<String> command) throws IOException {
    // jmpirun gets 15 seconds to clean up behind itself.
    List<String> line = new ArrayList<>(
        List.of("timeout", "-k", "15", String.valueOf(limitSeconds), scriptPath().toString(), "exec", name, "0"));
    line.addAll(command);
    return new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(output.toFile()).start();
  }

  /**
   * Kills all processes of a node as one blow.
   *
   * @return the time of day when it fell, in milliseconds
   */
  public long crash(int node) {
    return Long.parseLong(script("crash", name, String.valueOf(node)).expectSuccess().strip()) / MICROS_PER_MILLI;
  }

  /**
   * Lets a node fall silent; its processes go on.
   *
   * @return the time of day when that was, in milliseconds
   */
  public long cut(int node) {
    return Long.parseLong(script("cut", name, String.valueOf(node)).expectSuccess().strip()) / MICROS_PER_MILLI;
  }

  /** Takes a node's link down, and stops what runs there. @return when, in milliseconds of the time of day */
  public long pause(int node) {
    return Long.parseLong(script("pause", name, String.valueOf(node)).expectSuccess().strip()) / MICROS_PER_MILLI;
  }

  /** Lets a node that was cut off or paused be as before. */
  public void heal(int node) {
    script("heal", name, String.valueOf(node)).expectSuccess();
  }

  /** What is left on a node: processes, shared memory, temporary files; one a line. Gives it some time to go away. */
  public List<String> left(int node, long patienceMillis) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMillis);
    while (true) {
      List<String> left = script("left", name, String.valueOf(node)).expectSuccess().lines().toList();
      if (left.isEmpty() || System.nanoTime() > deadline) {
        return left;
      }
    }
  }

  private void remove() {
    script("down", name);
  }

  @Override
  public void close() {
    remove();
    Runtime.getRuntime().removeShutdownHook(hook);
  }
}
