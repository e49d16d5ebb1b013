// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.kintsugi.mpi.Mpi;

/**
 * Ends the job when something takes longer than it ever should: the runtime of the flavour reinit hangs for good in some overlaps
 * of failures, and nothing but a new start helps; and a process that ends with an exception must not wait for good for others in
 * {@code MPI_Finalize}, which would hide the exception.
 *
 * <p>Runs from {@link #begin} to {@link #close}. The time counts while the condition holds, if there is one.
 */
public final class Deadline extends Thread {
  private static final long LOOK_MILLIS = 100;

  private final long nanos;
  private final BooleanSupplier counts;
  private final String why;
  private final int exitCode;
  private volatile boolean over;

  private Deadline(long seconds, BooleanSupplier counts, String why, int exitCode) {
    super("kintsugi-deadline");
    setDaemon(true);
    this.nanos = TimeUnit.SECONDS.toNanos(seconds);
    this.counts = counts;
    this.why = why;
    this.exitCode = exitCode;
  }

  /**
   * From now on; at its end the job is ended for a restart.
   *
   * @param counts null: always, and no lambda is linked in the middle of a recovery
   */
  public static Deadline begin(long seconds, BooleanSupplier counts, String why) {
    Deadline deadline = new Deadline(seconds, counts, why, Mpi.RESTART_CODE);
    deadline.start();
    return deadline;
  }

  /** From now on; at its end this process ends, with that exit code, and the job if it is of the flavour reinit. */
  public static Deadline beginEnd(long seconds, int exitCode, String why) {
    Deadline deadline = new Deadline(seconds, null, why, exitCode);
    deadline.start();
    return deadline;
  }

  @Override
  public void run() {
    long since = System.nanoTime();
    while (!over) {
      try {
        sleep(LOOK_MILLIS);
      } catch (InterruptedException closed) {
        continue;
      }
      if (counts != null && !counts.getAsBoolean()) {
        since = System.nanoTime();
      } else if (System.nanoTime() - since > nanos && !over) {
        if (exitCode == Mpi.RESTART_CODE) {
          Launcher.endJobForRestart(why);
        } else {
          Launcher.endProcess(exitCode, why);
        }
      }
    }
  }

  /** It came in time. */
  public void close() {
    over = true;
    interrupt();
  }
}
