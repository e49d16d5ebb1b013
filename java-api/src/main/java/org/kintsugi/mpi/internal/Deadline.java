// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Ends the job when something takes longer than it ever should: the runtime of the flavour reinit hangs for good in some overlaps
 * of failures, and nothing but a new start helps; and a process that ends with an exception must not wait for good for others in
 * {@code MPI_Finalize}, which would hide the exception.
 *
 * <p>Runs from {@link #begin} to {@link #close}. The time counts while the condition holds, if there is one.
 */
public final class Deadline extends Thread {
  private static final long LOOK_MILLIS = 100;

  /** What it ends. */
  private enum End {
    JOB, PROCESS, UNWANTED
  }

  private final long nanos;
  private final BooleanSupplier counts;
  private final String why;
  private final End end;
  private volatile boolean over;

  private Deadline(long seconds, BooleanSupplier counts, String why, End end) {
    super("kintsugi-deadline");
    setDaemon(true);
    this.nanos = TimeUnit.SECONDS.toNanos(seconds);
    this.counts = counts;
    this.why = why;
    this.end = end;
  }

  /**
   * From now on; at its end the job is ended for a restart.
   *
   * @param counts null: always, and no lambda is linked in the middle of a recovery
   */
  public static Deadline begin(long seconds, BooleanSupplier counts, String why) {
    return begin(seconds, counts, why, End.JOB);
  }

  /** From now on; at its end this process ends, with exit code 1, and the job if it is of the flavour reinit. */
  public static Deadline beginEnd(long seconds, String why) {
    return begin(seconds, null, why, End.PROCESS);
  }

  /** From now on; at its end this process ends, which the others can do without. */
  public static Deadline beginEndOfUnwanted(long seconds, String why) {
    return begin(seconds, null, why, End.UNWANTED);
  }

  private static Deadline begin(long seconds, BooleanSupplier counts, String why, End end) {
    Deadline deadline = new Deadline(seconds, counts, why, end);
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
        switch (end) {
          case JOB -> Launcher.endJobForRestart(why);
          case PROCESS -> Launcher.endProcess(1, why);
          case UNWANTED -> Launcher.endUnwanted(why);
          default -> throw new IllegalStateException(end.toString());
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
