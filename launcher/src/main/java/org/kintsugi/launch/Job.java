// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * One run of a job: starts mpirun, enforces a time limit, and leaves nothing behind: no process (ended by their ids), no
 * session folder, no shared-memory segment, whatever happened.
 */
public final class Job {
  /** The exit code of a job that ran into its time limit, as timeout(1) has it. */
  public static final int TIMED_OUT = 124;

  private static final long GRACE_SECONDS = 5;

  private final JobSpec spec;
  private final MpiHome mpi;
  private long timeoutSeconds;
  private Path output;

  /** A job under an MPI. */
  public Job(JobSpec spec, MpiHome mpi) {
    this.spec = spec;
    this.mpi = mpi;
  }

  /** Ends the job after so many seconds; 0: never. */
  public Job timeoutSeconds(long seconds) {
    if (seconds < 0) {
      throw new LaunchException("--timeout " + seconds + ": expected seconds, zero or more");
    }
    timeoutSeconds = seconds;
    return this;
  }

  /** Sends what the job prints, both streams, to a file instead of this process's own. */
  public Job outputTo(Path file) {
    output = file;
    return this;
  }

  /** What would be run, for people to copy into job scripts. */
  public String dryRun() {
    MpirunCommand command = command(JobFolders.named());
    String environment = command.environment().entrySet().stream()
        .map(entry -> entry.getKey() + "=" + quoted(entry.getValue()) + " ").collect(Collectors.joining());
    return environment + command.arguments().stream().map(Job::quoted).collect(Collectors.joining(" "));
  }

  private static String quoted(String argument) {
    return argument.matches("[\\w@%+=:,./^-]+") ? argument : "'" + argument.replace("'", "'\\''") + "'";
  }

  private MpirunCommand command(JobFolders folders) {
    return new MpirunCommand(spec, mpi, folders, Runtime.getRuntime().availableProcessors());
  }

  /**
   * Runs it to its end.
   *
   * @return the exit code of mpirun, or {@link #TIMED_OUT}
   */
  public int run() {
    JobFolders folders = JobFolders.create();
    try {
      return run(command(folders));
    } finally {
      folders.close();
    }
  }

  private int run(MpirunCommand command) {
    List<String> arguments = command.arguments();
    ProcessBuilder builder = new ProcessBuilder(arguments);
    builder.environment().putAll(command.environment());
    builder.inheritIO();
    if (output != null) {
      builder.redirectErrorStream(true).redirectOutput(output.toFile());
    }
    Process mpirun;
    try {
      mpirun = builder.start();
    } catch (IOException e) {
      throw new LaunchException("cannot start " + arguments.get(0) + ": " + e, e);
    }
    Thread hook = new Thread(() -> end(mpirun));
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      if (timeoutSeconds == 0) {
        return mpirun.waitFor();
      }
      if (mpirun.waitFor(timeoutSeconds, TimeUnit.SECONDS)) {
        return mpirun.exitValue();
      }
      end(mpirun);
      return TIMED_OUT;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      end(mpirun);
      return TIMED_OUT;
    } finally {
      end(mpirun);
      Segments.removeOf(mpirun.pid());
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException shuttingDown) {
        // Then the hook has run or is running: the job has been ended.
      }
    }
  }

  /** Ends mpirun and all it has started on this host; each is known by its id. Quick if nothing is left. */
  private static void end(Process mpirun) {
    List<ProcessHandle> ranks = mpirun.descendants().collect(Collectors.toList());
    if (mpirun.isAlive()) {
      mpirun.destroy();
      try {
        mpirun.waitFor(GRACE_SECONDS, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      mpirun.destroyForcibly();
    }
    ranks.forEach(ProcessHandle::destroyForcibly);
  }
}
