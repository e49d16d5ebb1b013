// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An mpirun and what it has started on this host. Whatever ends it (the program, a time limit, a signal to the launcher, a
 * SIGKILL to mpirun), {@link #close} leaves no process and no file behind, and may be called by several threads.
 */
final class RunningJob implements AutoCloseable {
  private static final long GRACE_SECONDS = 5;
  private static final Path PROCESSES = Path.of("/proc");

  private final Process mpirun;
  private final JobFolders folders;
  private final Thread onSignal = new Thread(this::end, "jmpirun-end");

  RunningJob(ProcessBuilder builder, JobFolders folders) {
    this.folders = folders;
    try {
      mpirun = builder.start();
    } catch (IOException e) {
      folders.close();
      throw new LaunchException("cannot start " + builder.command().get(0) + ": " + e, e);
    }
    try {
      Runtime.getRuntime().addShutdownHook(onSignal);
    } catch (IllegalStateException shuttingDown) {
      end();
      throw shuttingDown;
    }
  }

  /**
   * Waits for mpirun's end.
   *
   * @param timeoutSeconds 0: as long as it takes
   * @return its exit code, or {@link Job#TIMED_OUT} if it is still running then or this thread was interrupted
   */
  int await(long timeoutSeconds) {
    try {
      if (timeoutSeconds == 0) {
        return mpirun.waitFor();
      }
      return mpirun.waitFor(timeoutSeconds, TimeUnit.SECONDS) ? mpirun.exitValue() : Job.TIMED_OUT;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Job.TIMED_OUT;
    }
  }

  /**
   * Whether MPI was initialised by a process on this host and finalized by none: they have all died. (Under fault tolerance
   * a death is no error to mpirun, not even the last one's.) Ranks on other hosts leave no such marks here.
   */
  boolean diedOut() {
    return Files.exists(folders.session().resolve(JobFolders.INITIALISED))
        && !Files.exists(folders.session().resolve(JobFolders.FINALIZED));
  }

  @Override
  public void close() {
    end();
    try {
      Runtime.getRuntime().removeShutdownHook(onSignal);
    } catch (IllegalStateException shuttingDown) {
      // Then the hook has run or is running.
    }
  }

  private synchronized void end() {
    List<ProcessHandle> started = mpirun.descendants().collect(Collectors.toList());
    if (mpirun.isAlive()) {
      mpirun.destroy();
      // A hung launcher ignores SIGTERM.
      if (!hasEndedWithin(GRACE_SECONDS)) {
        mpirun.destroyForcibly();
        hasEndedWithin(GRACE_SECONDS);
      }
    }
    started.forEach(ProcessHandle::destroyForcibly);
    // Those that lost mpirun as their parent are known by the job's folder, which is on their command lines and nobody else's.
    orphans().forEach(ProcessHandle::destroyForcibly);
    Segments.removeOf(mpirun.pid());
    folders.close();
  }

  private boolean hasEndedWithin(long seconds) {
    try {
      return mpirun.waitFor(seconds, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private List<ProcessHandle> orphans() {
    String mark = folders.option() + '\0';
    try (Stream<Path> processes = Files.list(PROCESSES)) {
      return processes.map(folder -> folder.getFileName().toString()).filter(name -> name.matches("\\d+"))
          .filter(pid -> commandLine(pid).contains(mark))
          .flatMap(pid -> ProcessHandle.of(Long.parseLong(pid)).stream()).collect(Collectors.toList());
    } catch (IOException noProcessesHere) {
      return List.of();
    }
  }

  private static String commandLine(String pid) {
    try {
      return Files.readString(PROCESSES.resolve(pid).resolve("cmdline"), StandardCharsets.ISO_8859_1);
    } catch (IOException gone) {
      return "";
    }
  }
}
