// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal;

import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Ends the job when something takes longer than it ever should: the runtime of the flavour reinit hangs for good in some overlaps
 * of failures, and nothing but a new start helps; and a process that ends with an exception must not wait for good for others in
 * {@code MPI_Finalize}, which would hide the exception.
 *
 * <p>Runs from {@link #begin} to {@link #close}. The time counts while the condition holds, if there is one.
 */
public final class Deadline implements Runnable {
  private static final long LOOK_MILLIS = 100;

  /**
   * Checks all open deadlines. Its thread stays: every recovery has a deadline, and starting and ending a thread takes longer
   * than most steps of a recovery.
   */
  private static final ScheduledThreadPoolExecutor WATCH = new ScheduledThreadPoolExecutor(1, new WatchThread());

  static {
    WATCH.setRemoveOnCancelPolicy(true);
  }

  /** Not a lambda: the first one of a process costs 10 ms. */
  private static final class WatchThread implements ThreadFactory {
    @Override
    public Thread newThread(Runnable watch) {
      Thread thread = new Thread(watch, "kintsugi-deadline");
      thread.setDaemon(true);
      return thread;
    }
  }

  /** The reaction when the time is over. */
  private enum End {
    JOB, FAILED_JOB, PROCESS_FOR_RESTART, PROCESS, UNWANTED
  }

  private final long nanos;
  private volatile long since = System.nanoTime();
  private final BooleanSupplier counts;
  private final String why;
  private final End end;
  private Future<?> looks;
  private volatile boolean over;

  private Deadline(long seconds, BooleanSupplier counts, String why, End end) {
    this.nanos = TimeUnit.SECONDS.toNanos(seconds);
    this.counts = counts;
    this.why = why;
    this.end = end;
  }

  /**
   * A deadline that begins now; at its end the job is ended for a restart.
   *
   * @param counts null: the time always counts, and no lambda is linked in the middle of a recovery
   */
  public static Deadline begin(long seconds, BooleanSupplier counts, String why) {
    return begin(seconds, counts, why, End.JOB);
  }

  /** A deadline that begins now; at its end the job is ended with exit code 1. */
  public static Deadline beginFailure(long seconds, BooleanSupplier counts, String why) {
    return begin(seconds, counts, why, End.FAILED_JOB);
  }

  /** A deadline that begins now; at its end this process ends for a restart of the job, where MPI may not be called any more. */
  public static Deadline beginEndForRestart(long seconds, String why) {
    return begin(seconds, null, why, End.PROCESS_FOR_RESTART);
  }

  /** A deadline that begins now; at its end this process ends, with exit code 1, and the job if it is of the flavour reinit. */
  public static Deadline beginEnd(long seconds, String why) {
    return begin(seconds, null, why, End.PROCESS);
  }

  /** A deadline that begins now; at its end this process ends, and the others go on without it. */
  public static Deadline beginEndOfUnwanted(long seconds, String why) {
    return begin(seconds, null, why, End.UNWANTED);
  }

  private static Deadline begin(long seconds, BooleanSupplier counts, String why, End end) {
    Deadline deadline = new Deadline(seconds, counts, why, end);
    deadline.looks = WATCH.scheduleWithFixedDelay(deadline, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    return deadline;
  }

  /** Counts from now on. */
  public void restart() {
    since = System.nanoTime();
  }

  /** A look at the time. */
  @Override
  public void run() {
    if (counts != null && !counts.getAsBoolean()) {
      restart();
    } else if (System.nanoTime() - since > nanos && !over) {
      if (end != End.UNWANTED) {
        Whereabouts.report(why);
      }
      String last = stacks() + "kintsugi: " + why;
      switch (end) {
        case JOB -> Launcher.endJobForRestart(last);
        case FAILED_JOB -> Launcher.endJob(1, last);
        case PROCESS_FOR_RESTART -> Launcher.endProcessForRestart(last);
        case PROCESS -> Launcher.endProcess(1, last);
        case UNWANTED -> Launcher.endUnwanted(why);
        default -> throw new IllegalStateException(end.toString());
      }
    }
  }

  /** The stacks of this process's threads, which show what they wait for. */
  private static String stacks() {
    StringBuilder text = new StringBuilder("where the threads of process " + ProcessHandle.current().pid() + " wait:\n");
    for (Map.Entry<Thread, StackTraceElement[]> thread : Thread.getAllStackTraces().entrySet()) {
      ThreadGroup group = thread.getKey().getThreadGroup();
      if (thread.getKey() == Thread.currentThread() || group == null || group.getParent() == null) {
        continue; // the JVM's own are in the topmost group
      }
      text.append("  \"").append(thread.getKey().getName()).append("\" ").append(thread.getKey().getState()).append('\n');
      for (StackTraceElement frame : thread.getValue()) {
        text.append("    at ").append(frame).append('\n');
      }
    }
    return text.toString();
  }

  /** It came in time. */
  public void close() {
    over = true;
    looks.cancel(false);
  }
}
