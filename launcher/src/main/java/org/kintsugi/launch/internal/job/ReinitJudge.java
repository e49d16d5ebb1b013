// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.job;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.kintsugi.launch.internal.host.HostName;
import org.kintsugi.launch.internal.mpirun.SpareNodes;
import org.kintsugi.runtime.ExitCodes;
import org.kintsugi.runtime.internal.protocol.OutputLine;

/**
 * Judges a job under the Reinit++ fork by its output.
 *
 * <p>mpirun itself returns 0 for failed jobs and starts processes again without limit.
 * (docs/reinit-fork.md)
 */
public final class ReinitJudge {
  /** The beginnings of the lines that the judge reads. */
  static final List<String> MARKS =
      List.of(OutputLine.PREFIX, "DBG_REINIT: ", "SENDING num_procs ", "SENDING proc [[", "*** UNSUPPORTED RECOVERY",
          "*** SIGREINIT ", "mpirun: Forwarding signal ", "ORTE_ERROR_LOG: Data unpack would read past end of buffer in file ");

  private static final String ABORTED_TWICE = "mpirun: abort is already in progress";

  /**
   * Lines that are always dropped.
   *
   * <p>Other lines that begin like these are the program's. The signal is the one that rolls back.
   */
  private static final Pattern ALWAYS_NOISE =
      Pattern
          .compile("DBG_REINIT: |\\*\\*\\* |SENDING num_procs \\d+ processes to restart$|mpirun: Forwarding signal 10 to job$");
  private static final Pattern RESPAWN =
      Pattern.compile("SENDING proc \\[\\[\\d+,\\d+\\],\\d+\\] to restart on daemon (\\d{1,9})");
  /**
   * An error of mpirun and its daemons when they read which process to restart where.
   *
   * <p>See docs/reinit-fork.md, part 4.
   */
  private static final Pattern BROKEN_RESTART = Pattern.compile("ORTE_ERROR_LOG: .*/orted_comm\\.c at line \\d+$");
  /** The exit codes of processes that got a SIGABRT or a SIGSEGV. */
  private static final Set<Integer> CRASHED = Set.of(134, 139);

  /** Exit code of a job that would fail again. */
  private static final int FAILED = 1;

  private final String saidByOurRanks;
  private final int maxRespawns;
  private final IntSupplier maxBeforeStart;
  private final SpareNodes spareNodes;
  private final boolean areHostsMany;
  private final Runnable rollBack;
  private final PrintStream messages;
  private final CompletableFuture<Integer> verdict = new CompletableFuture<>();
  private final Set<Integer> used = new HashSet<>();
  private final List<String> crash = new ArrayList<>();
  private int respawns;
  private boolean rolledBack;

  /**
   * A judge.
   *
   * @param name what ranks put in front of their words, {@link JobFolders#name}
   * @param maxRespawns after more of them the job is ended
   * @param maxBeforeStart the same while no process has begun MPI
   * @param areHostsMany whether the loss of a node is possible
   * @param rollBack has all ranks rolled back
   * @param messages to the user
   */
  public ReinitJudge(String name, int maxRespawns, IntSupplier maxBeforeStart, SpareNodes spareNodes, boolean areHostsMany,
      Runnable rollBack,
      PrintStream messages) {
    saidByOurRanks = OutputLine.PREFIX + name + " ";
    this.maxRespawns = maxRespawns;
    this.maxBeforeStart = maxBeforeStart;
    this.spareNodes = spareNodes;
    this.areHostsMany = areHostsMany;
    this.rollBack = rollBack;
    this.messages = messages;
  }

  /** Completes with an exit code when the job must end with it. */
  public CompletableFuture<Integer> verdict() {
    return verdict;
  }

  /**
   * The beginnings of the lines that {@link #hears} reads.
   *
   * <p>They are {@link #MARKS}, and those of a crash of mpirun.
   *
   * @param mpirun its process id
   * @param host the name of this host
   */
  public synchronized List<String> marks(long mpirun, String host) {
    for (String name : new TreeSet<>(List.of(host, HostName.shortOf(host)))) {
      crash.add(String.format("[%s:%05d] ", name, mpirun));
    }
    List<String> marks = new ArrayList<>(MARKS);
    marks.addAll(crash);
    marks.add(ABORTED_TWICE);
    return marks;
  }

  /**
   * Hears a line.
   *
   * @return whether it was for us; otherwise it is for the user
   */
  public synchronized boolean hears(String line) {
    if (line.startsWith(saidByOurRanks)) {
      hearsRank(line.substring(saidByOurRanks.length()));
      return true;
    }
    String ofMpirun = crash.stream().filter(line::startsWith).findFirst().orElse(null);
    if (verdict.isDone() && (ofMpirun != null || line.startsWith(ABORTED_TWICE))) {
      // mpirun crashes if it is ended while it aborts the job. The reason of the end is known by
      // then.
      return true;
    }
    return hearsMpi(ofMpirun == null ? line : line.substring(ofMpirun.length()));
  }

  private boolean hearsMpi(String line) {
    Matcher respawn = RESPAWN.matcher(line);
    if (respawn.matches()) {
      countRespawn(Integer.parseInt(respawn.group(1)));
      return true;
    }
    if (line.startsWith("*** UNSUPPORTED RECOVERY") || line.startsWith("DBG_REINIT: Unsupported recovery")) {
      endIfABodyThrew();
      end(ExitCodes.RESTART, "a rank got the signal to roll back when it could not (it had not begun, or failures came too close "
          + "together), and the MPI has abandoned the job");
    }
    if (areHostsMany && BROKEN_RESTART.matcher(line).find()) {
      end(ExitCodes.RESTART, "a node was lost on which a dead process had been started anew before, and the fork cannot recover "
          + "from that");
    }
    return ALWAYS_NOISE.matcher(line).lookingAt();
  }

  private void hearsRank(String words) {
    OutputLine line;
    try {
      line = OutputLine.parse(words);
    } catch (IllegalArgumentException notOurs) {
      return;
    }
    if (line instanceof OutputLine.End end) {
      verdict.complete(end.code());
    } else if (!verdict.isDone() && !rolledBack) {
      // Bodies may throw on many ranks at once, and each rank reports it. The first report ends the
      // run; a second signal would interrupt that.
      rolledBack = true;
      rollBack.run();
    }
  }

  /**
   * Ends the job if a body threw.
   *
   * <p>To the fork a process that ends with an exception is a failure. It signals the processes
   * that are about to end as well, or starts all of them again if they have ended on several hosts
   * before it was notified.
   */
  private void endIfABodyThrew() {
    if (rolledBack) {
      end(FAILED, "a body threw, and not all processes had ended before the first of them ended with an error");
    }
  }

  private void countRespawn(int daemon) {
    endIfABodyThrew();
    respawns++;
    if (respawns > maxRespawns) {
      end(ExitCodes.RESTART,
          "processes were started anew " + respawns + " times, more often than --max-respawns " + maxRespawns
              + " allows: something fails again and again");
    }
    if (respawns > maxBeforeStart.getAsInt()) {
      end(FAILED, "processes were started anew " + respawns + " times, and none has begun MPI: does the program start at all "
          + "(class path, name of the main class)?");
    }
    if (spareNodes.include(daemon) && used.add(daemon)) {
      int left = spareNodes.count() - used.size();
      messages.println("jmpirun: a node was lost, and its ranks go on on a spare one; spare nodes left: " + left
          + (left == 0 ? ", another loss ends the job" : ""));
    }
  }

  private void end(int code, String reason) {
    if (!verdict.isDone()) {
      // Print before the verdict: the stream is closed soon after it.
      messages.println("jmpirun: " + reason);
      verdict.complete(code);
    }
  }

  /** The exit code of a job whose mpirun has ended by itself with this one. */
  public synchronized int judge(int code) {
    if (!verdict.isDone() && areHostsMany && CRASHED.contains(code)) {
      end(ExitCodes.RESTART, "mpirun has crashed, as it does when a node is lost and no spare node is left ("
          + used.size() + " of " + spareNodes.count() + " in use): give the job one more (--spare-nodes, --host, --hostfile)");
    }
    return verdict.getNow(code);
  }
}
