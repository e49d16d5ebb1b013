// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.batch;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * What a job with fault tolerance needs under Slurm. mpirun starts a daemon on each node of the allocation by {@code srun}, as
 * one step of the job. When Slurm notes the loss of a node, it ends the job, unless it was submitted with {@code --no-kill}, and
 * the step, unless srun has its own {@code --no-kill}: both are needed. srun's is set here.
 */
public final class Slurm {
  private static final String NO_KILL = "SLURM_NO_KILL";
  private static final String JOB = "SLURM_JOB_ID";
  private static final Pattern SAYS_NO_KILL = Pattern.compile("^#SBATCH\\b.*\\s(--no-kill|-k)\\b(?!=off)");
  private static final long ANSWER_SECONDS = 10;
  private static final int AT_ONCE = 32;
  private static final File NOTHING = new File("/dev/null");

  private Slurm() {}

  /**
   * Variables for mpirun, from which its srun takes them.
   *
   * @param given the environment of this process
   */
  public static Map<String, String> environment(Map<String, String> given) {
    Map<String, String> all = new TreeMap<>();
    if (!"off".equals(given.get(NO_KILL))) {
      // Its one other value: with 1, say, srun refuses to start.
      all.put(NO_KILL, "set");
    }
    // The step of a start that has failed may still hold the processors of a lost node.
    all.put("SLURM_OVERLAP", "1");
    return all;
  }

  /**
   * What the job lacks to survive the loss of a node. Slurm does not say whether a job was submitted with {@code --no-kill}, so
   * this reads the job script.
   *
   * @return null if it lacks nothing, or that is not known
   */
  public static String warning(Map<String, String> environment) {
    String job = environment.get(JOB);
    if (job == null || environment.containsKey("SBATCH_NO_KILL")) {
      return null;
    }
    String script = output(List.of("scontrol", "write", "batch_script", job, "-"));
    return script == null || saysNoKill(script) ? null
        : "the job script has no line #SBATCH --no-kill: unless sbatch has got this option on its command line, Slurm ends the "
            + "job when a node is lost, whatever has recovered by then";
  }

  /** Whether a job script has the option. */
  static boolean saysNoKill(String script) {
    // sbatch reads the lines in front of the first command.
    return script.lines().takeWhile(line -> line.isBlank() || line.startsWith("#")).anyMatch(SAYS_NO_KILL.asPredicate());
  }

  /** Those of the job's hosts that do not start a process within ten seconds; none if all do not, as that is no loss of hosts. */
  public static Set<String> lostHosts(Collection<String> hosts) {
    Set<String> lost = new TreeSet<>(hosts);
    Map<String, Process> asked = new LinkedHashMap<>();
    for (String host : hosts) {
      Process process =
          start(List.of("srun", "--overlap", "--mpi=none", "--nodes=1", "--ntasks=1", "--nodelist=" + host, "true"));
      if (process == null) {
        return Set.of();
      }
      asked.put(host, process);
      if (asked.size() == AT_ONCE) {
        removeAnswered(asked, lost);
      }
    }
    removeAnswered(asked, lost);
    return lost.size() == hosts.size() ? Set.of() : lost;
  }

  private static void removeAnswered(Map<String, Process> asked, Set<String> lost) {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(ANSWER_SECONDS);
    asked.forEach((host, process) -> {
      try {
        boolean hasEnded = process.waitFor(Math.max(0, until - System.nanoTime()), TimeUnit.NANOSECONDS);
        if (hasEnded && process.exitValue() == 0) {
          lost.remove(host);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        process.destroyForcibly();
      }
    });
    asked.clear();
  }

  /** Null: this host does not have the command. */
  private static Process start(List<String> command) {
    try {
      return new ProcessBuilder(command).redirectInput(NOTHING).redirectOutput(NOTHING).redirectError(NOTHING).start();
    } catch (IOException missing) {
      return null;
    }
  }

  /** What a command prints; null if it fails or takes too long. */
  private static String output(List<String> command) {
    try {
      Process process = new ProcessBuilder(command).redirectInput(NOTHING)
          .redirectError(NOTHING).start();
      try {
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor(ANSWER_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0 ? text : null;
      } finally {
        process.destroyForcibly();
      }
    } catch (IOException missing) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }
}
