// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime.internal;

/**
 * The lines between {@code jmpirun} and a process of its job, over a connection that the process makes. They are apart from what
 * the job prints: a question can be asked, and who does not answer it is known.
 */
public final class WatchLines {
  /**
   * First of a process: the job's key, its process id, its host's name, its rank in the job, what the runtime calls that job (it
   * has one for each process that was started later), and the number of its {@link #START} (0: none) follow, with blanks between.
   */
  public static final String HELLO = "hello ";

  /** To a process: have you come forward since the last question? Who has need not say where it is. A number follows. */
  public static final String STILL = "still ";

  /** To a process: where are you? A number follows. */
  public static final String WHERE = "where ";

  /** The answer to both: the number, a blank, and a {@link RankPlace}. */
  public static final String HERE = "here ";

  /** Of a process: a limit has struck, a report is wanted before the job ends; why follows. */
  public static final String LIMIT = "limit ";

  /** The answer: the report is printed. */
  public static final String REPORTED = "reported";

  /** Of a process: it has left MPI, and its end is no death. */
  public static final String LEFT = "left";

  /** First of {@code jmpirun --stacks}: the job's key follows. The answer is the report, and the end of the connection. */
  public static final String STACKS = "stacks ";

  /**
   * Of a process, with {@code --check}: what it is about to call. A number follows, by which it waits for an answer (0: it waits
   * for none), a blank, and a {@link CollectiveCall}.
   */
  public static final String CALL = "call ";

  /** The answer: all of the communicator are about to do the same, or it is no longer compared. The number follows. */
  public static final String GO = "go ";

  /**
   * To all: the ranks do not call the same, and the job ends in a moment. Who is at its end goes on to it past MPI, so that the
   * exception that may have led it there is printed; all others stay where they are.
   */
  public static final String DIFFERENT = "different";

  /** Of a process: a failure is known on a communicator ({@link CollectiveCall#comm}, follows): not all have to come any more. */
  public static final String FAULT = "fault ";

  /** Of a process, with {@code --check}: what it has sent and received, as a {@link MessageCount}. */
  public static final String MESSAGES = "messages ";

  /** Of a process: all of that is told of a world: its rank in it, a blank, its size, a blank, {@link CollectiveCall#comm}. */
  public static final String MESSAGES_END = "messages-end ";

  /** The {@link CollectiveCall#comm} of the job's own world. */
  public static final String JOB = "job";

  /**
   * Of a process in a run whose spares are kept: so many processes are to be there from now on, spares included. 0: the run is
   * over.
   */
  public static final String KEEP = "keep ";

  /** To a process: start another one. A number follows, for its {@link #HELLO}, and perhaps a blank and a host for it. */
  public static final String START = "start ";

  /** Before that host if nobody is left there, so that it may have been lost and have come back. */
  public static final String AGAIN = "+";

  /** The answer if that is not possible: the number, a blank, and why. */
  public static final String UNABLE = "unable ";

  /** Of a process that was started so: it waits to be called. */
  public static final String READY = "ready";

  /** Of a process behind a recovery: so many processes are left, spares included. */
  public static final String LIVING = "living ";

  /** Of a process in a recovery: it wants one that waits. A number follows: how many processes are left. */
  public static final String NEED = "need ";

  /** The answer: a name follows, by which it meets one. */
  public static final String CALLED = "called ";

  /** The other answer: there is none, and none to come. */
  public static final String NONE = "none";

  /** To the one that waits: the name by which it meets the one that wants it. */
  public static final String COME = "come ";

  /** To one of the two, where the other has died: the name. */
  public static final String GONE = "gone ";

  /** Of a process that was called: it has been taken in, and is one of the others. */
  public static final String JOINED = "joined";

  /**
   * Of a process of a job on several hosts: the runtime has told it of a death. The dead one's job, a blank, and its rank there.
   */
  public static final String DEAD = "dead ";

  /** To processes of other jobs than the dead one's, who are not told by the runtime: its job, a blank, and its rank in that. */
  public static final String DIED = "died ";

  /** To one that waits: nobody will call it any more. */
  public static final String OVER = "over";

  private WatchLines() {}
}
