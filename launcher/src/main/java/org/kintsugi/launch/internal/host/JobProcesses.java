// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.host;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.kintsugi.runtime.JobConfig;

/**
 * The processes of a job on this host, whatever their parents.
 *
 * <p>mpirun and all that it has started have the job's mark in their environment, and no other
 * process has. (Only root can read the environment of other users' processes.)
 */
public record JobProcesses(String mark) {
  private static final long PATIENCE_MILLIS = 5000;
  private static final long LOOK_MILLIS = 20;

  /** The pause between two processes, so that their stacks are not mixed in the output. */
  private static final long STACKS_MILLIS = 300;

  /**
   * Ends all processes by SIGKILL, by their ids, and waits until they have ended.
   *
   * <p>This includes processes that are just being started.
   */
  public void end() {
    long limit = System.nanoTime() + PATIENCE_MILLIS * 1_000_000;
    List<ProcessHandle> left = list();
    while (!left.isEmpty() && System.nanoTime() - limit < 0) {
      left.forEach(ProcessHandle::destroyForcibly);
      try {
        Thread.sleep(LOOK_MILLIS);
      } catch (InterruptedException e) {
        // All processes have got their signal.
        Thread.currentThread().interrupt();
        return;
      }
      left = list();
    }
  }

  /**
   * The order numbers of processes that were started while the job ran.
   *
   * <p>The numbers are those of {@link org.kintsugi.runtime.internal.protocol.FromLauncher.Start}. Processes
   * on other hosts are not seen.
   */
  public Set<Integer> started() {
    return ours().stream().map(JobProcesses::number).filter(number -> number > 0).collect(Collectors.toSet());
  }

  /** Ends the started processes with these numbers. */
  public void endStarted(Set<Integer> numbers) {
    if (!numbers.isEmpty()) {
      ours().stream().filter(process -> numbers.contains(number(process))).forEach(ProcessHandle::destroyForcibly);
    }
  }

  /** Whether a process was stopped by a signal, and not by a debugger. */
  public static boolean isStopped(long pid) {
    return state(read(pid, "stat")).equals("T");
  }

  /** Ends the process with this id if it is one of the job; returns whether it is. */
  public boolean end(long pid) {
    return ours().stream().filter(process -> process.pid() == pid).anyMatch(ProcessHandle::destroyForcibly);
  }

  /** The order number of a process; 0: the job began with it. */
  private static int number(ProcessHandle process) {
    String start = "-D" + JobConfig.STARTED.property() + "=";
    return Stream.of(read(process.pid(), "cmdline").split("\0")).filter(word -> word.startsWith(start))
        .map(word -> word.substring(start.length())).mapToInt(Integer::parseInt).findFirst().orElse(0);
  }

  /**
   * Prints the states of the processes, and the stacks of the JVMs.
   *
   * <p>This is for a job that has to be ended. The JVMs print one after the other. (A JVM that is
   * about to end, or another program, prints nothing.)
   *
   * @param messages where the first is said
   */
  public void printStacks(PrintStream messages) {
    List<ProcessHandle> all = list();
    for (ProcessHandle process : all) {
      messages.println("jmpirun: process " + process.pid() + ", " + read(process.pid(), "comm").trim() + ", in state "
          + state(read(process.pid(), "stat")) + ", waits in " + read(process.pid(), "wchan"));
    }
    for (ProcessHandle process : all) {
      // The process that holds its memory runs the same program, but has another name.
      if (read(process.pid(), "comm").equals("java\n")) {
        signal(process.pid(), "QUIT");
        try {
          Thread.sleep(STACKS_MILLIS);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return;
        }
      }
    }
  }

  /** The word after the name. The name is in brackets, and may have brackets in it. */
  private static String state(String stat) {
    int name = stat.lastIndexOf(") ");
    return name < 0 || stat.length() < name + 3 ? "?" : stat.substring(name + 2, name + 3);
  }

  /** Sends a signal by a shell: Java itself can send only SIGTERM and SIGKILL. */
  public static void signal(long pid, String name) {
    try {
      new ProcessBuilder("sh", "-c", "kill -s " + name + " " + pid).inheritIO().start().waitFor();
    } catch (IOException e) {
      System.err.println("jmpirun: cannot send SIG" + name + " to process " + pid + ": " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private List<ProcessHandle> list() {
    // Get the handle before the environment is read: a handle knows the start time of its process,
    // so a signal through it never reaches a later process with the same id.
    return ProcessHandle.allProcesses().filter(this::isMarked).collect(Collectors.toList());
  }

  /**
   * The job's processes while mpirun runs, which is a child of this process.
   *
   * <p>/proc of other processes is not read here: the reader may have to wait for a process that
   * itself waits for a lost file system.
   */
  private List<ProcessHandle> ours() {
    return ProcessHandle.current().descendants().filter(this::isMarked).collect(Collectors.toList());
  }

  private boolean isMarked(ProcessHandle process) {
    return ('\0' + read(process.pid(), "environ")).contains('\0' + mark + '\0');
  }

  /** A file of a process in /proc; empty if the process has ended. */
  private static String read(long pid, String file) {
    try {
      return Files.readString(Path.of("/proc", String.valueOf(pid), file), StandardCharsets.ISO_8859_1);
    } catch (IOException goneOrNotOurs) {
      return "";
    }
  }
}
