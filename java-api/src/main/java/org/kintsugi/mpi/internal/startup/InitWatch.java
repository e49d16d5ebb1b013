// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.startup;

import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.mpi.internal.launcher.Launcher;
import org.kintsugi.mpi.internal.lifetime.RollbackSignal;
import org.kintsugi.mpi.internal.memory.Errors;
import org.kintsugi.runtime.JobConfig;

/**
 * Ends a process whose {@code MPI_Init} can never return. A process of the job has failed, and a
 * fence in MPI_Init waits for it. Open MPI cannot cancel that fence, so the job must be started
 * again.
 */
public final class InitWatch extends Thread {
  private static final long LOOK_MILLIS = 100;

  /**
   * The time from a failure to the end of this process. If the failure came after the fence,
   * {@code MPI_Init} returns meanwhile.
   */
  private static final long GRACE_SECONDS = 5;

  /**
   * Processes are counted at every 10th check. With more ranks counts are rarer: 10 checks more for
   * every 16 ranks on this host.
   */
  private static final int LOOKS_PER_COUNT = 10;
  private static final int RANKS_PER_COUNT = 16;

  private static final String DEATH = "a process of the job died before all were through MPI_Init";

  private static final Set<String> LAUNCHERS = Set.of("prte", "prterun", "prted", "mpirun", "orterun", "orted");

  /**
   * The limit. A spawned process uses that of its parents: with a longer one it would delay the end
   * of a finished job.
   */
  private static final JobConfig LIMIT =
      JobConfig.SPAWNED.booleanValue() ? JobConfig.RECOVERY_TIMEOUT_SECONDS : JobConfig.INIT_TIMEOUT_SECONDS;

  private final long timeoutSeconds = LIMIT.longValue();
  private final int started = Integer.parseInt(System.getenv().getOrDefault("OMPI_COMM_WORLD_LOCAL_SIZE", "0"));
  private volatile boolean ended;
  private volatile long processFailed;

  private InitWatch() {
    super("kintsugi-init-watch");
    setDaemon(true);
  }

  public static InitWatch begin() {
    InitWatch watch = new InitWatch();
    watch.start();
    return watch;
  }

  /**
   * MPI_Init has returned: ends the watch, and registers for notices of failures. The thread may
   * still run for a moment, but does nothing more.
   */
  public void end() {
    ended = true;
    interrupt();
    Kintsugi.kintsugi_watch_failures();
  }

  /**
   * MPI_Init failed. Ends this process if another one has failed, or if this one is only a spawned
   * replacement.
   */
  public void failed(int code) {
    if (processFailed != 0 || isSiblingMissing()) {
      abandon(DEATH);
    }
    if (JobConfig.SPAWNED.booleanValue()) {
      abandon(Errors.exception(code, "MPI_Init_thread").getMessage());
    }
  }

  @Override
  public void run() {
    long begin = System.nanoTime();
    long siblingMissing = 0;
    boolean watching = false;
    // A count reads a file of each process of the host. With many ranks, all counts together would
    // cost as much as the start.
    int looks = LOOKS_PER_COUNT * (1 + started / RANKS_PER_COUNT);
    for (int turn = 1; !ended; turn++) {
      watching = watching || Kintsugi.kintsugi_watch_failures() == 0;
      if ((look(watching) || RollbackSignal.isPending()) && processFailed == 0) {
        processFailed = System.nanoTime();
      }
      if (turn % looks == 0) {
        siblingMissing = !isSiblingMissing() ? 0 : siblingMissing != 0 ? siblingMissing : System.nanoTime();
      }
      if (isOver(processFailed, GRACE_SECONDS) || isOver(siblingMissing, GRACE_SECONDS)) {
        abandon(DEATH);
      }
      if (isOver(begin, timeoutSeconds)) {
        abandon("MPI_Init has not returned for " + timeoutSeconds + " s (-D" + LIMIT.property() + ")");
      }
    }
  }

  private static boolean isOver(long since, long seconds) {
    return since != 0 && System.nanoTime() - since > TimeUnit.SECONDS.toNanos(seconds);
  }

  /**
   * Whether the launcher has fewer children here than it started. The launcher's notices do not
   * suffice: a failure before this process was connected to the launcher is never reported.
   */
  private boolean isSiblingMissing() {
    ProcessHandle launcher = ProcessHandle.current().parent().orElse(null);
    if (started == 0 || launcher == null
        || !LAUNCHERS.contains(Path.of(launcher.info().command().orElse("/")).toFile().getName())) {
      return false; // started in another way, by a script for instance
    }
    // Other children (remote shells) are counted as well: that may hide a failure, but never
    // reports a false one.
    return launcher.children().filter(ProcessHandle::isAlive).count() < started;
  }

  private static boolean look(boolean watching) {
    if (watching) {
      return Kintsugi.kintsugi_await_failure(TimeUnit.MILLISECONDS.toMicros(LOOK_MILLIS)) != 0;
    }
    try {
      sleep(LOOK_MILLIS);
    } catch (InterruptedException e) {
      // interrupted by end(): nothing is left to do
    }
    return false;
  }

  private void abandon(String why) {
    if (ended) {
      return;
    }
    if (JobConfig.SPAWNED.booleanValue()) {
      Launcher.endUnwanted(why + ": this process, spawned in place of a dead one, ends; the others may spawn another");
    } else {
      Launcher.endProcessForRestart(why);
    }
  }
}
