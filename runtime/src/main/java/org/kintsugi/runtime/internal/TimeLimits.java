// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime.internal;

import java.util.concurrent.TimeUnit;

/**
 * Time limits that depend on one another, of the launcher and of the processes of its job.
 *
 * <p>{@code TimeLimitsTest} has the inequalities, each with its reason. Limits that concern one class only are in that class. All
 * are constants, so that no class is loaded for them in a recovery.
 */
public final class TimeLimits {
  // Questions of the launcher, and answers.

  /** The shortest time between two questions to a process; it is shorter for a short {@code --stall}. */
  public static final int QUESTION_LEAST_MILLIS = 250;

  /** The longest time between two questions to a process. */
  public static final int QUESTION_MOST_MILLIS = 2000;

  /** The time in which processes answer for a report. Later it has their last answers. */
  public static final int ANSWER_MILLIS = 1000;

  /** A process that has a question open for longer is reported as not answering. */
  public static final int SILENT_IN_REPORT_MILLIS = 2000;

  /** A process that has a question open for longer starts others only if it must. */
  public static final int SILENT_STARTER_MILLIS = 3000;

  /** A spare that has a question open for longer may be stopped: the kernel is asked. */
  public static final int SILENT_SPARE_MILLIS = 5000;

  /** A stopped spare is ended only if another process has no question open for this time. */
  public static final int LIVELY_MILLIS = 3000;

  /** The time between two looks for stopped spares. */
  public static final int STOPPED_LOOK_MILLIS = 1000;

  /** After a longer time between two looks the launcher itself was stopped. */
  public static final int STOPPED_GAP_MILLIS = 3000;

  /** A process that has left MPI, and has not ended after this time, is reported as stuck. */
  public static final int LINGERS_MILLIS = 4000;

  /** A process on which a limit has struck waits for the report of the launcher, before it ends the job. */
  public static final int REPORT_MILLIS = 3000;

  /** {@code jmpirun --stacks} waits for the report of the launcher. */
  public static final int STACKS_MILLIS = 10_000;

  // Connections of processes to the launcher.

  /** The limit of a connection, in the first round through the addresses. */
  public static final int CONNECT_QUICK_MILLIS = 300;

  /** The limit of a connection in later rounds, and of a line to the launcher before it is connected. */
  public static final int CONNECT_MILLIS = 2000;

  /** The limit of the launcher's first answer, in the first round. */
  public static final int CONNECT_ANSWER_FIRST_MILLIS = 1000;

  /** The same in the second round: the launcher may be busy. */
  public static final int CONNECT_ANSWER_SECOND_MILLIS = 10_000;

  /** The same in the last round: the launcher may be stopped. */
  public static final int CONNECT_ANSWER_LAST_MILLIS = 30_000;

  /** The time in which a client proves that it belongs to the job. */
  public static final int HELLO_MILLIS = 5000;

  // Starts of new processes.

  /** Delay of starts after the report that all have recovered. */
  public static final int GOING_ON_MILLIS = 50;

  /** Delay of starts after a failure, on a single host: the recovery has the processors until then. */
  public static final int RECOVERY_DELAY_MILLIS = 1000;

  /** Delay of starts after a failure, with several hosts: until it is known which processes are lost. */
  public static final int SETTLE_MILLIS = 2000;

  /** The time between two looks at the host's processes while one is being started. */
  public static final int SEEN_LOOK_MILLIS = 200;

  /** From an order to the process, where it can be seen. */
  public static final int SEEN_MILLIS = 5000;

  /** From an order to the first line of the process. */
  public static final int START_MILLIS = 15_000;

  /** The time in which mpirun starts a daemon on a host that has come back. */
  public static final int DAEMON_MILLIS = 15_000;

  /** From an order to the first line of the process, on a host that may have been lost. */
  public static final int RETURN_MILLIS = 40_000;

  /** From an order to the first line of a process that is seen: another one would start no sooner. */
  public static final int SLOW_MILLIS = 120_000;

  /** From the first line to the end of {@code Mpi.init}, while a process is needed: then another one is started. */
  public static final int WANTED_MILLIS = 10_000;

  /** From the first line to the end of {@code Mpi.init}. */
  public static final int READY_MILLIS = 30_000;

  /** From the first refusal of a host to the next question. It doubles with each refusal. */
  public static final int FAILED_HOST_MILLIS = 3000;

  /** The longest time between two questions for a lost host. */
  public static final int FAILED_HOST_LONGEST_MILLIS = 30_000;

  /** The time after which other hosts make up for a lost one. */
  public static final int FAILED_HOST_PATIENCE_MILLIS = 30_000;

  // Meetings of a process that needs a new one with one that waits.

  /** A process that needs a new one repeats its request after this time. */
  public static final int ROUND_MILLIS = 500;

  /** A repeated request within this time has crossed its answer. */
  public static final int CROSSING_MILLIS = 1000;

  /** A request that is not repeated is dropped after this time. */
  public static final int WANT_MILLIS = 5000;

  /** A process that needs a new one takes no older answer: it belongs to a recovery that is over. */
  public static final int FRESH_MILLIS = 2000;

  /** The longest time from the failure of one side, which interrupts the connecting, to its report. */
  public static final int GONE_MILLIS = 2000;

  /** The limit of connecting, for the process that needs a new one: all others wait for it. */
  public static final int CALLER_MILLIS = 6000;

  /** The limit of connecting, for the called process. */
  public static final int CALLED_MILLIS = 12_000;

  /** From the call to the line that the process has joined. Later it counts as a member. */
  public static final int CALL_MILLIS = 20_000;

  // The end of a run and of a job.

  /** From the end of a run to the line that waiting processes are not needed. */
  public static final int OVER_MILLIS = 1000;

  /** From the end of the last needed process to the end of the others. */
  public static final int UNNEEDED_MILLIS = 3000;

  /** After this time without a member, waiting processes are dismissed. */
  public static final int ALONE_MILLIS = 5000;

  /** A process whose body threw ends this much before the others' limit of a recovery: the job fails, and is not restarted. */
  public static final int BEFORE_OTHERS_MILLIS = 2000;

  /** From a difference of calls ({@code --check}) to the verdict. A failure that caused it is reported before. */
  public static final int CHECK_GRACE_MILLIS = 200;

  /** The same while calls of ranks are missing. */
  public static final int CHECK_MISSING_MILLIS = 2000;

  /** From the verdict to the end of the job: a rank at its end may have an exception to print. */
  public static final int CHECK_LAST_WORDS_MILLIS = 1000;

  private TimeLimits() {}

  /**
   * A limit in the unit of {@link System#nanoTime}.
   *
   * <p>For the launcher only: in a rank it would load this class in a recovery.
   *
   * @param millis one of the limits
   * @return the same time
   */
  public static long nanos(int millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }
}
