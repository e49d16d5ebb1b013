// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.job;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.kintsugi.runtime.ExitCodes;
import org.kintsugi.launch.internal.control.JobServer;
import org.kintsugi.launch.internal.host.JobFolders;
import org.kintsugi.launch.internal.host.JobProcesses;
import org.kintsugi.launch.internal.host.Segments;
import org.kintsugi.launch.spec.LaunchException;
import org.kintsugi.runtime.internal.JobFiles;

/**
 * The folders and processes of a job on this host.
 *
 * <p>The processes are mpirun, and those that it has started here. However the job ends (the
 * program, a time limit, a signal to the launcher, a SIGKILL to mpirun or to the launcher), no
 * process and no file of it remains.
 */
public final class RunningJob implements AutoCloseable {
  private static final long GRACE_SECONDS = 5;

  /** The time for mpirun to end after a rank has aborted the job. */
  private static final long ABORT_SECONDS = 10;

  private final PrintStream messages;
  private final Thread onSignal = new Thread(this::end, "jmpirun-end");
  private JobFolders folders;
  private JobWatchdog watchdog;
  private JobServer server; // null: none
  private Process mpirun;
  private boolean ended;

  /**
   * A job without folders and processes. A signal to this process removes what it gets later.
   *
   * @param messages to the user
   */
  public RunningJob(PrintStream messages) {
    this.messages = messages;
    try {
      Runtime.getRuntime().addShutdownHook(onSignal);
    } catch (IllegalStateException shuttingDown) {
      throw endedBySignal();
    }
  }

  private static LaunchException endedBySignal() {
    return new LaunchException("ended by a signal, and the job with it");
  }

  private void goOn() {
    if (ended) {
      throw endedBySignal();
    }
  }

  /** Makes the folders, and starts the watchdog at once: the job's start may take seconds, and this process may be killed. */
  public synchronized JobFolders makeFolders() {
    goOn();
    folders = JobFolders.create();
    watchdog = JobWatchdog.of(folders);
    return folders;
  }

  /** Starts mpirun, once. */
  public synchronized void start(ProcessBuilder builder) {
    goOn();
    try {
      mpirun = builder.start();
    } catch (IOException e) {
      throw new LaunchException("cannot start " + builder.command().get(0) + ": " + e, e);
    }
    watchdog.watch(mpirun.pid());
  }

  public JobFolders folders() {
    return folders;
  }

  public Process mpirun() {
    return mpirun;
  }

  /**
   * Waits for mpirun's end.
   *
   * @param timeoutSeconds 0: no limit
   * @param verdict an exit code with which the job is to end, should there be one before mpirun's
   * @return its exit code, or that, or {@link ExitCodes#TIMED_OUT} if it is still running then or this thread was interrupted
   * @throws LaunchException if a signal to the launcher has ended it
   */
  public int await(long timeoutSeconds, CompletableFuture<Integer> verdict) {
    int code = ExitCodes.TIMED_OUT;
    try {
      var end = CompletableFuture.anyOf(mpirun.onExit().thenApply(Process::exitValue), verdict);
      code = (Integer) (timeoutSeconds == 0 ? end.get() : end.get(timeoutSeconds, TimeUnit.SECONDS));
    } catch (TimeoutException stillRunning) {
      messages
          .println("jmpirun: the job has not ended within " + timeoutSeconds + " s, and is ended now; where its threads were:");
      if (server != null) {
        server.report("the job has not ended within " + timeoutSeconds + " s");
      }
      new JobProcesses(folders.mark()).printStacks(messages);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    synchronized (this) {
      goOn();
    }
    return code;
  }

  /** Has mpirun of the Reinit++ fork roll back all ranks: it passes this signal on to them. */
  public synchronized void rollBack() {
    if (ended || !mpirun.isAlive()) {
      return;
    }
    JobProcesses.signal(mpirun.pid(), "USR1");
  }

  /**
   * Whether MPI was begun by a process on this host, left in order by none, and ended for the whole job by none. (Under fault
   * tolerance a process failure is no error to mpirun, not even the last one.) Ranks on other hosts leave no such marks here.
   */
  public boolean haveAllFailed() {
    return hasBegun() && !hasLeft(JobFiles.FINISHED) && !hasLeft(JobFiles.ABORTED);
  }

  /** Sees to it that {@code MPI_Abort} ends the job. */
  public AbortWatch watchAborts() {
    return AbortWatch.begin(folders.session().resolve(JobFiles.ABORTED), ABORT_SECONDS, messages);
  }

  /**
   * Takes the server of the job's processes, which this job closes at its end.
   *
   * @param begun made for this job's folders; null: it cannot listen here
   */
  public synchronized void servedBy(JobServer begun) {
    server = begun;
  }

  /** Whether MPI was begun by a process on this host. */
  public boolean hasBegun() {
    return hasLeft(JobFiles.BEGUN);
  }

  /** Whether a process on this host has left that mark in the job's folder. */
  private boolean hasLeft(String mark) {
    return Files.exists(folders.session().resolve(mark));
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
    if (ended) {
      return;
    }
    ended = true;
    all(this::endServer, this::endProcesses, this::removeFolders);
    // If a step has failed, the watchdog ends at once what is left.
    if (watchdog != null && folders.areGone()) {
      watchdog.close();
    } else if (watchdog != null) {
      watchdog.takesOver();
    }
  }

  /**
   * Takes all steps, even if one throws.
   *
   * <p>A process of the job must not live on because a file could not be removed.
   *
   * @throws RuntimeException the first that a step has thrown; the others are suppressed in it
   * @throws Error likewise
   */
  static void all(Runnable... steps) {
    Throwable first = null;
    for (Runnable step : steps) {
      try {
        step.run();
      } catch (RuntimeException | Error e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (first instanceof Error error) {
      throw error;
    } else if (first != null) {
      throw (RuntimeException) first;
    }
  }

  private void endServer() {
    if (server != null) {
      server.close();
    }
  }

  private void removeFolders() {
    if (folders != null) {
      folders.close();
    }
  }

  private void endProcesses() {
    if (mpirun == null) {
      return;
    }
    List<ProcessHandle> started = new ArrayList<>();
    all(() -> mpirun.descendants().forEach(started::add), this::endMpirun,
        () -> started.forEach(ProcessHandle::destroyForcibly), () -> new JobProcesses(folders.mark()).end(),
        () -> Segments.removeOf(mpirun.pid()));
  }

  private void endMpirun() {
    if (mpirun.isAlive()) {
      // Not Process.destroy, which would close the streams on the job's last words.
      mpirun.toHandle().destroy();
      // A hung launcher ignores SIGTERM.
      if (!hasEndedWithin(GRACE_SECONDS)) {
        mpirun.destroyForcibly();
        hasEndedWithin(GRACE_SECONDS);
      }
    }
  }

  private boolean hasEndedWithin(long seconds) {
    try {
      return mpirun.waitFor(seconds, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
