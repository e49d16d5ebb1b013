// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.lifetime;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.kintsugi.mpi.internal.launcher.CallTrace;
import org.kintsugi.mpi.internal.launcher.Launcher;
import org.kintsugi.runtime.ExitCodes;
import org.kintsugi.runtime.internal.InRecovery;

/**
 * Ends the job when a step takes longer than it should.
 *
 * <p>The runtime of the flavour reinit hangs for ever in some overlaps of failures, and only a
 * restart helps. And a process that ends with an exception must not wait for ever for others in
 * {@code MPI_Finalize}, which would hide the exception.
 *
 * <p>Runs from {@link #begin} to {@link #close}. The time counts while the condition holds, if there is one.
 */
@InRecovery
public final class Deadline {
  private static final long LOOK_MILLIS = 100;
  private static final long MOST_LOOK_MILLIS = 2000;
  /** A deadline of at least this time may wait for the next look for a while: it is looked at often enough after that. */
  private static final long UNHURRIED_NANOS = TimeUnit.MILLISECONDS.toNanos(10 * MOST_LOOK_MILLIS);
  /** The number of looks in the time of a warning. */
  private static final int LOOKS = 10;

  /**
   * The number of attempts to end the job. Then this process halts, because a hang is worse.
   */
  private static final int ATTEMPTS = 20;

  /** Memory for the report and the end. It is freed then, because the heap may be full. */
  private static byte[] room = new byte[1 << 18];

  /** A constant, because looking up its class takes memory. */
  private static final Runtime RUNTIME = Runtime.getRuntime();

  static {
    // Loads the class of caught exceptions, for the same reason.
    try {
      throw new IllegalStateException();
    } catch (Throwable e) {
      RUNTIME.availableProcessors();
    }
  }

  /**
   * Checks open deadlines. The thread does not end: every recovery has a deadline, and starting
   * and ending a thread takes longer than most steps of a recovery. It continues after any
   * exception: its checks need no memory, and it repeats a step that has failed.
   *
   * <p>Conditions have a thread of their own, and no lock is held while one is called: a condition
   * that blocks would delay the other deadlines, and every thread that begins or closes one. The
   * other thread sees that a condition has not returned.
   */
  private static final class Watch extends Thread {
    private static final Watch ALL = new Watch("kintsugi-deadline", false);
    private static final Watch CONDITIONS = new Watch("kintsugi-deadline-conditions", true);

    private final boolean asks;
    private final List<Deadline> open = new ArrayList<>();
    private boolean isStarted;
    private boolean waitsForDeadline; // there was none when it began to wait

    /** @param asks whether it calls conditions */
    Watch(String name, boolean asks) {
      super(name);
      this.asks = asks;
      setDaemon(true);
    }

    synchronized void add(Deadline deadline) {
      open.add(deadline);
      if (!isStarted) {
        start();
        isStarted = true;
      }
      // A recovery begins deadlines in all processes at once. If each woke two threads, these would take the cores from it.
      if (waitsForDeadline || deadline.nanos < UNHURRIED_NANOS) {
        notifyAll();
      }
    }

    synchronized void remove(Deadline deadline) {
      open.remove(deadline);
    }

    @Override
    public void run() {
      boolean isRehearsed = false;
      while (true) {
        try {
          if (!isRehearsed) {
            isRehearsed = true;
            throw new IllegalStateException();
          }
          pause();
          Deadline due = due();
          if (due != null) {
            due.end();
          }
        } catch (Throwable e) { // The next check tries again.
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS));
        }
      }
    }

    /** A warning can wait for some time, and a program must not be interrupted often. */
    private long lookMillis() {
      long millis = MOST_LOOK_MILLIS;
      for (int i = 0; i < open.size(); i++) {
        millis = Math.min(millis, open.get(i).lookMillis());
      }
      return millis;
    }

    private synchronized void pause() throws InterruptedException {
      waitsForDeadline = open.isEmpty();
      wait(waitsForDeadline ? 0 : lookMillis());
      waitsForDeadline = false;
    }

    /** A deadline whose time is over; null if there is none. */
    private Deadline due() {
      int i = 0;
      for (Deadline deadline = at(i); deadline != null; deadline = at(i)) {
        boolean isOver = asks ? deadline.isOver() : deadline.isOverUnasked();
        if (isOver && isOpen(deadline)) { // It may have been closed while the condition was called.
          return deadline;
        }
        i++;
      }
      return null;
    }

    private synchronized Deadline at(int i) {
      return i < open.size() ? open.get(i) : null;
    }

    private synchronized boolean isOpen(Deadline deadline) {
      return open.contains(deadline);
    }
  }

  /** The reaction when the time is over. */
  private enum End {
    JOB, FAILED_JOB, PROCESS_FOR_RESTART, PROCESS, UNWANTED, WARNING
  }

  private final long nanos;
  private volatile long since = System.nanoTime();
  private final BooleanSupplier counts;
  private final String why;
  private final End end;
  private volatile long askedSince; // when the condition was called last
  private volatile boolean isAsked; // it has not returned
  private long blockedSince; // the call that the last look found not to have returned; 0: none
  private int attempts;

  private Deadline(long nanos, BooleanSupplier counts, String why, End end) {
    this.nanos = nanos;
    this.counts = counts;
    this.why = why;
    this.end = end;
  }

  /**
   * A deadline that begins now. When it is over, the job ends for a restart.
   *
   * @param counts the condition; null if the time always counts
   */
  public static Deadline begin(long seconds, BooleanSupplier counts, String why) {
    return begin(seconds, counts, why, End.JOB);
  }

  /** A deadline that begins now. When it is over, the job ends with exit code 1. */
  public static Deadline beginFailure(long seconds, BooleanSupplier counts, String why) {
    return begin(seconds, counts, why, End.FAILED_JOB);
  }

  /**
   * A deadline that begins now, for use when MPI may not be called any more. When it is over, this
   * process ends for a restart of the job.
   */
  public static Deadline beginEndForRestart(long seconds, String why) {
    return begin(seconds, null, why, End.PROCESS_FOR_RESTART);
  }

  /**
   * A deadline that begins now. When it is over, this process ends with exit code 1; in the flavour
   * reinit the job ends.
   */
  public static Deadline beginEnd(long seconds, String why) {
    return begin(seconds, null, why, End.PROCESS);
  }

  /**
   * A deadline that begins now. When it is over, this process ends, and the others continue without
   * it.
   */
  public static Deadline beginEndOfUnwanted(long seconds, String why) {
    return begin(seconds, null, why, End.UNWANTED);
  }

  /**
   * A deadline that begins now. When it is over, a line is printed, once.
   *
   * @param counts the condition, which may be open for long: it is looked at every two seconds at most
   */
  public static Deadline beginWarning(long millis, BooleanSupplier counts, String why) {
    return begin(new Deadline(TimeUnit.MILLISECONDS.toNanos(millis), counts, why, End.WARNING));
  }

  /** A deadline at which no thread looks, for a test. */
  static Deadline unwatched(long seconds, BooleanSupplier counts) {
    return new Deadline(TimeUnit.SECONDS.toNanos(seconds), counts, "a test", End.WARNING);
  }

  private static Deadline begin(long seconds, BooleanSupplier counts, String why, End end) {
    return begin(new Deadline(TimeUnit.SECONDS.toNanos(seconds), counts, why, end));
  }

  private static Deadline begin(Deadline deadline) {
    Watch.ALL.add(deadline);
    if (deadline.counts != null) {
      Watch.CONDITIONS.add(deadline);
    }
    return deadline;
  }

  /** Begins to count again. */
  public void restart() {
    since = System.nanoTime();
  }

  private long lookMillis() {
    return end == End.WARNING ? Math.max(LOOK_MILLIS, TimeUnit.NANOSECONDS.toMillis(nanos) / LOOKS) : LOOK_MILLIS;
  }

  /** Calls the condition. */
  boolean isOver() {
    askedSince = System.nanoTime();
    isAsked = true;
    try {
      if (!isCounting()) {
        restart();
      }
    } finally {
      isAsked = false;
    }
    return System.nanoTime() - since > nanos;
  }

  /**
   * Does not call the condition: if there is one, the other thread does. But the time counts while a
   * condition does not return. A look must find the same call as the look before: this process may
   * have been stopped in the middle of a call, for a long time.
   */
  boolean isOverUnasked() {
    if (counts == null) {
      return System.nanoTime() - since > nanos;
    }
    long asked = askedSince;
    // Read twice: the other thread may begin its first call between the other two reads, and the first one is 0 then.
    boolean isWaiting = isAsked && asked == askedSince;
    boolean isBlocked = isWaiting && asked == blockedSince;
    blockedSince = isWaiting ? asked : 0;
    return isBlocked && System.nanoTime() - asked > nanos;
  }

  private boolean isCounting() {
    try {
      return counts.getAsBoolean();
    } catch (Throwable e) { // The time counts if the condition cannot be checked.
      return true;
    }
  }

  /** Does not return but from a warning, unless it throws: then it is called again. */
  private void end() {
    if (end == End.WARNING) {
      close();
      System.err.println("kintsugi: " + why);
      return;
    }
    room = null;
    attempts++;
    if (attempts > ATTEMPTS) {
      RUNTIME.halt(end == End.JOB || end == End.PROCESS_FOR_RESTART ? ExitCodes.RESTART : 1);
    }
    String last = attempts == 1 ? report() : why;
    switch (end) {
      case JOB -> Launcher.endJobForRestart(last);
      case FAILED_JOB -> Launcher.endJob(1, last);
      case PROCESS_FOR_RESTART -> Launcher.endProcessForRestart(last);
      case PROCESS -> Launcher.endProcess(1, last);
      case UNWANTED -> Launcher.endUnwanted(why);
      default -> throw new IllegalStateException(end.toString());
    }
  }

  /** The text for the user; only the reason if there is no memory for more. */
  private String report() {
    try {
      if (end == End.UNWANTED) {
        return why;
      }
      CallTrace.report(why);
      return stacks() + "kintsugi: " + why;
    } catch (Throwable e) { // Ending the job is more important than the report.
      return why;
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

  /** Ends the deadline: the step was in time. */
  public void close() {
    Watch.ALL.remove(this);
    if (counts != null) {
      Watch.CONDITIONS.remove(this);
    }
  }
}
