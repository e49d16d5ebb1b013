// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import java.util.concurrent.TimeUnit;
import org.kintsugi.bindings.Kintsugi;

/**
 * Ends a process whose {@code MPI_Init} can never return: a process of the job has died, and a fence inside waits for it.
 * Open MPI cannot be talked out of that fence, so the way on is to start the job again.
 */
final class InitWatch extends Thread {
  private static final long LOOK_MILLIS = 100;

  /** From a death to giving up: if it came after the fence, {@code MPI_Init} returns meanwhile. */
  private static final long GRACE_SECONDS = 5;

  private final long timeoutSeconds = MpiConfig.INIT_TIMEOUT_SECONDS.longValue();
  private volatile boolean ended;

  private InitWatch() {
    super("kintsugi-init-watch");
    setDaemon(true);
  }

  static InitWatch begin() {
    InitWatch watch = new InitWatch();
    watch.start();
    return watch;
  }

  /** MPI_Init has returned. The thread may still be looking for a moment; it does nothing any more. */
  void end() {
    ended = true;
    interrupt();
  }

  @Override
  public void run() {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(timeoutSeconds);
    String why = "MPI_Init has not returned for " + timeoutSeconds + " s (-D" + MpiConfig.INIT_TIMEOUT_SECONDS.property() + ")";
    boolean somebodyDied = false;
    boolean watching = false;
    while (!ended) {
      if (System.nanoTime() - deadline > 0) {
        giveUp(why);
      }
      watching = watching || Kintsugi.kintsugi_watch_deaths() == 0;
      if (look(watching) && !somebodyDied) {
        somebodyDied = true;
        deadline = Math.min(deadline, System.nanoTime() + TimeUnit.SECONDS.toNanos(GRACE_SECONDS));
        why = "a process of the job died before all were through MPI_Init";
      }
    }
  }

  private static boolean look(boolean watching) {
    if (watching) {
      return Kintsugi.kintsugi_await_death(TimeUnit.MILLISECONDS.toMicros(LOOK_MILLIS)) != 0;
    }
    try {
      sleep(LOOK_MILLIS);
    } catch (InterruptedException e) {
      // by end(): nothing is left to do
    }
    return false;
  }

  private void giveUp(String why) {
    if (!ended) {
      System.err.println("kintsugi: " + why + ": this process ends, and the job must be started again (jmpirun --restart)");
      // Not exit: whatever hook waits for MPI or for the thread inside MPI_Init would wait for good.
      Runtime.getRuntime().halt(Mpi.RESTART_CODE);
    }
  }
}
