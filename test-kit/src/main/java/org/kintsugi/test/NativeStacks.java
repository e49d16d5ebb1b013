// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The C stacks of a job's processes, taken shortly before its time limit: a hang that comes once in hundreds of runs can be
 * understood only by the traces of that one run. By gdb, where there is one.
 *
 * <p>The list of all processes, by ps, shows what gdb does not: which rank is dead although its parent has not noticed (its
 * command line, by which ranks are found, is empty then), and which is stopped.
 */
final class NativeStacks implements AutoCloseable {
  private static final int LIMIT_SECONDS = 20;
  private static final double PART_OF_LIMIT = 0.8;

  private final Path folder;
  private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor(task -> {
    Thread thread = new Thread(task, "native stacks of a job that may hang");
    thread.setDaemon(true);
    return thread;
  });
  private final StringBuffer taken = new StringBuffer();

  /**
   * Begins to watch a job.
   *
   * @param folder the job's own; each of its ranks has it in its command line
   * @param limitSeconds when the job is ended
   */
  NativeStacks(Path folder, long limitSeconds) {
    this.folder = folder;
    watch.schedule(this::take, (long) (limitSeconds * 1000 * PART_OF_LIMIT), TimeUnit.MILLISECONDS);
  }

  /** Ranks, and the mpirun that has started them: both have the folder in their command lines. */
  private boolean isOfJob(ProcessHandle process) {
    try {
      // NUL ends each argument.
      return Files.readString(Path.of("/proc", String.valueOf(process.pid()), "cmdline")).contains("\0" + folder + "\0");
    } catch (IOException e) {
      return false; // has ended
    }
  }

  private void take() {
    for (ProcessHandle process : ProcessHandle.allProcesses().filter(this::isOfJob).toList()) {
      taken.append("process ").append(process.pid()).append(":\n").append(stacks(process.pid()));
    }
    taken.append("all processes:\n").append(outputOf("ps", "-eo", "pid,ppid,stat,etimes,comm,args", "--width", "120"));
  }

  private static String stacks(long process) {
    return outputOf("gdb", "-p", String.valueOf(process), "-batch", "-nx", "-ex", "set print frame-arguments none", "-ex",
        "thread apply all bt 24");
  }

  private static String outputOf(String... command) {
    try {
      Path output = Files.createTempFile("kintsugi-stacks-", "");
      try {
        Process asked = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
        if (!asked.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
          asked.destroy();
        }
        return Files.readString(output);
      } finally {
        Files.delete(output);
      }
    } catch (IOException e) {
      return command[0] + " printed nothing: " + e.getMessage() + "\n";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }

  /** The stacks; empty unless the job has come near its limit. */
  @Override
  public String toString() {
    return taken.toString();
  }

  @Override
  public void close() {
    watch.shutdownNow();
  }
}
