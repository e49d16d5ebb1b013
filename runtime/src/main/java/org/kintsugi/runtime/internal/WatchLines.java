// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime.internal;

/**
 * The lines that {@code jmpirun} and a process of its job exchange. The process opens a connection
 * for them. The job's output would not do, because the launcher asks questions and must see which
 * process does not answer.
 *
 * <p>The protocol: text in UTF-8; the word at the beginning of each line is its kind. First both
 * sides prove that they belong to one job ({@link Handshake}). Then the process sends its identity
 * ({@link #PROCESS}), and from then on each side may send any of its lines at any time. The end of
 * a connection means that the process has failed, unless it has sent {@link #LEFT}.
 *
 * <p>Invariants:
 * <ul>
 * <li>The launcher obeys no client that has not proved that it belongs to the job. Such a client
 *     costs {@value #LONGEST_OF_STRANGER} bytes at most, some seconds, and one of a limited number
 *     of places. The launcher ends a connection of another user of this host before it reads from
 *     it: the kernel reports whose connection it is.
 * <li>A process sends no line to a launcher that has not proved to be its own.
 * <li>A line of a peer reaches the terminal without control characters: they are replaced as the line is read.
 * <li>No line is written in part: what a peer's socket does not take waits in the launcher.
 * </ul>
 */
public final class WatchLines {
  /** The longest line of a client before it has proved that it is of the job, in bytes. */
  public static final int LONGEST_OF_STRANGER = 4096;

  /** The longest line after the proof: a call of {@code --check} has a number for each of a million ranks. */
  public static final int LONGEST = 1 << 26;

  /** The first line: see {@link Handshake}. */
  public static final String HELLO = "hello ";

  /** The second and the third line: see {@link Handshake}. */
  public static final String PROOF = "proof ";

  /**
   * Process to launcher, after its proof: the process id, the name of the host, the rank in the job, the runtime's name for that
   * job (a process that was started later is a job of its own), and the number of its {@link #START} (0: none), with blanks
   * between.
   */
  public static final String PROCESS = "process ";

  /**
   * Launcher to process: have you made progress since the last question? If it has, the process
   * need not send its place. A number follows.
   */
  public static final String STILL = "still ";

  /** Launcher to process: where are you? A number follows. */
  public static final String WHERE = "where ";

  /** The answer to {@link #STILL} and {@link #WHERE}: the number, a blank, and a {@link RankPlace}. */
  public static final String HERE = "here ";

  /** Process to launcher: a limit has struck; print a report before the job ends. The reason follows. */
  public static final String LIMIT = "limit ";

  /** The answer to {@link #LIMIT}: the report is printed. */
  public static final String REPORTED = "reported";

  /** Process to launcher: it has left MPI, so its end is not a death. */
  public static final String LEFT = "left";

  /** Process to launcher, as its JVM begins to end, and the answer, which wakes up the thread that waits for lines. */
  public static final String ENDS = "ends";

  /** {@code jmpirun --stacks}, after its proof: the launcher answers with the report, and closes the connection. */
  public static final String STACKS = "stacks";

  /**
   * Process to launcher, with {@code --check}: the collective that it is about to call. A number follows, which the answer
   * repeats (0: the process does not wait for one), a blank, and a {@link CollectiveCall}.
   */
  public static final String CALL = "call ";

  /**
   * Process to launcher, with {@code --check}, if one of its threads calls MPI: it is in a communicator from now on. A {@link
   * CommMember} follows.
   */
  public static final String MEMBER = "member ";

  /**
   * The answer to {@link #CALL}: all ranks of the communicator call the same, or it is no longer compared. The number follows.
   */
  public static final String GO = "go ";

  /**
   * Launcher to all: the ranks call different collectives, and the job ends in a moment. A process that waits in the end of MPI
   * goes on without MPI, so that an exception that led it there is printed; all others stay where they are.
   */
  public static final String DIFFERENT = "different";

  /**
   * Process to launcher: it knows of a failure on a communicator ({@link CollectiveCall#comm} follows), so not all its ranks
   * will call.
   */
  public static final String FAULT = "fault ";

  /** Process to launcher, with {@code --check}: how many messages it has sent or received, as a {@link MessageCount}. */
  public static final String MESSAGES = "messages ";

  /**
   * Process to launcher: all its counts of one world are sent. Its rank in the world, a blank, the size, a blank, {@link
   * CollectiveCall#comm}.
   */
  public static final String MESSAGES_END = "messages-end ";

  /** The {@link CollectiveCall#comm} of the job's own world. */
  public static final String JOB = "job";

  /**
   * Process to launcher, in a run that keeps its spares: the number of processes to keep alive from now on, spares included. 0:
   * the run is over.
   */
  public static final String KEEP = "keep ";

  /** Launcher to process: start a new process. A number follows, for its {@link #HELLO}, and possibly a blank and a host. */
  public static final String START = "start ";

  /** In front of that host if no process is left there: it may have been lost, and have come back. */
  public static final String AGAIN = "+";

  /** The answer to {@link #START} if it is not possible: the number, a blank, and the reason. */
  public static final String UNABLE = "unable ";

  /** Process to launcher, from a process that was started so: it waits to be called. */
  public static final String READY = "ready";

  /** Process to launcher: a recovery is over. The number of processes left follows, with spares. */
  public static final String LIVING = "living ";

  /** Process to launcher, in a recovery: it needs a waiting process. A number follows: how many processes are left. */
  public static final String NEED = "need ";

  /** An answer to {@link #NEED}: a name follows, by which it connects to a waiting process. */
  public static final String CALLED = "called ";

  /** The other answer to {@link #NEED}: no process waits, and none is about to. */
  public static final String NONE = "none";

  /** Launcher to a waiting process: the name by which it connects to the process that needs it. */
  public static final String COME = "come ";

  /**
   * Launcher to a waiting process about each process that may admit it, and to each of these about
   * the waiting process: the job and the rank of the other.
   */
  public static final String PREFETCH = "prefetch ";

  /** Launcher to one of the two called processes when the other has died: the name. */
  public static final String GONE = "gone ";

  /** Process to launcher, from a called process: the run has admitted it, as a spare or a rank. */
  public static final String JOINED = "joined";

  /**
   * Process to launcher, in a job on several hosts: the runtime has reported a failed process. Its
   * job, a blank, and its rank there.
   */
  public static final String DEAD = "dead ";

  /**
   * Launcher to the processes of a host on which a process was reported dead, but is still
   * connected; and the answer.
   */
  public static final String ALIVE = "alive";

  /**
   * Launcher to the processes of other jobs: a process has failed, which the runtime reports only
   * in the failed process's own job. That job, a blank, and the rank there.
   */
  public static final String DIED = "died ";

  /**
   * Launcher to the processes that {@link #PREFETCH} has notified of a waiting process: it has died
   * before any process connected to it. The name of its job, which had no other process.
   */
  public static final String FORGET = "forget ";

  /** Launcher to a waiting process: it will not be called, as the run has ended, or it was ready too late. */
  public static final String OVER = "over";

  private WatchLines() {}

  /**
   * A line as it may be printed: a terminal obeys control characters, and some others change the order of what is seen.
   *
   * @param line what a peer has sent; tabulators separate fields
   * @return with {@code ?} for each such character
   */
  public static String printable(String line) {
    int at = 0;
    while (at < line.length() && isPrintable(line.charAt(at))) {
      at++;
    }
    if (at == line.length()) {
      return line;
    }
    char[] text = line.toCharArray();
    for (; at < text.length; at++) {
      text[at] = isPrintable(text[at]) ? text[at] : '?';
    }
    return new String(text);
  }

  private static boolean isPrintable(char one) {
    if (one >= ' ' && one <= '~' || one == '\t') {
      return true;
    }
    int kind = Character.getType(one);
    return kind != Character.CONTROL && kind != Character.FORMAT && kind != Character.LINE_SEPARATOR
        && kind != Character.PARAGRAPH_SEPARATOR;
  }
}
