// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.bindings.MPI;
import org.kintsugi.bindings.ReinitPlusPlus;
import org.kintsugi.runtime.ExitCodes;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.JobConfig;
import org.kintsugi.runtime.SignalNumbers;
import org.kintsugi.runtime.internal.LauncherLines;

/**
 * A rank's requests to the program that started the job. In the flavour ulfm {@code MPI_Abort} ends the job. The runtime of the
 * flavour reinit takes any end of a process for a failure, starts the process again, and has no call that ends the job ({@code
 * MPI_Abort} hangs).
 *
 * <p>There {@code jmpirun} reads the job's stderr and interprets lines that begin with {@value LauncherLines#PREFIX} and the
 * job's name, which no text of the program has. Without jmpirun this class uses the only end of a process that the runtime does
 * not mend: by the rollback signal's default action.
 */
public final class Launcher {
  private static final String FOR_RESTART = ": the job must be started again (jmpirun --restart)";

  private static final long PATIENCE_SECONDS = 5;

  private static volatile boolean isUnneeded;

  private Launcher() {}

  private static boolean isJmpirun() {
    return !JobConfig.JOB_NAME.value().isEmpty();
  }

  /** To jmpirun. */
  private static void say(String words) {
    print(LauncherLines.PREFIX + JobConfig.JOB_NAME.value() + " " + words);
  }

  /** To the user. */
  private static void tell(String words) {
    print("kintsugi: " + words);
  }

  private static void print(String line) {
    // In one piece, or it could be mixed with other processes' output.
    System.err.print(line + "\n");
    System.err.flush();
  }

  /** Ends the whole job, this process included, for a restart. Does not return. */
  public static void endJobForRestart(String why) {
    endJob(ExitCodes.RESTART, why + FOR_RESTART);
  }

  /**
   * As {@link #endJobForRestart}, where MPI cannot be called: this process ends, and in the flavour ulfm mpirun then ends the
   * others.
   */
  public static void endProcessForRestart(String why) {
    if (Flavour.current() == Flavour.ULFM) {
      // The job is started again, with whatever codes the processes end.
      JobMark.ABORTED.leave(String.valueOf(ExitCodes.RESTART));
    }
    endProcess(ExitCodes.RESTART, why + FOR_RESTART);
  }

  /** Ends the whole job, this process included, or only this one if the others have not taken it in. Does not return. */
  public static void endJob(int code, String why) {
    if (isUnneeded) {
      endUnwanted(why);
    }
    if (Flavour.current() == Flavour.ULFM) {
      // First of all: if mpirun hangs, printing may block for ever.
      JobMark.ABORTED.leave(String.valueOf(code));
    }
    tell(why);
    if (Flavour.current() == Flavour.ULFM) {
      abortMarked(code);
    }
    if (isJmpirun()) {
      say(LauncherLines.END + code);
      long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
      while (System.nanoTime() - until < 0) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
      }
    }
    ReinitPlusPlus.kintsugi_reinit_end_job();
  }

  /**
   * Ends the whole job in the flavour ulfm, without a message; on any thread, whatever another one waits for in MPI. {@code
   * MPI_Abort}. A process that the others have not taken in ends nobody but itself.
   */
  public static void abort(int code) {
    if (isUnneeded) {
      endUnwanted("this new process has called MPI_Abort(" + code + ") before the run; the job goes on without it");
    }
    JobMark.ABORTED.leave(String.valueOf(code));
    abortMarked(code);
  }

  private static void abortMarked(int code) {
    WatchLine.sayThatNobodyIsNeeded();
    Errors.check(MPI.MPI_Abort(MPI.MPI_COMM_WORLD, code), "MPI_Abort");
  }

  /**
   * Keeps this process when its program has ended: the launcher ends the job in a moment. The others would take this process's
   * end for a failure, and print that.
   */
  public static void awaitEnd() {
    Thread thread = new Thread(() -> LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)), "kintsugi-last-words");
    thread.setDaemon(false);
    thread.start();
  }

  /**
   * Ends this process, without which the others go on. Does not return. Flavour ulfm: there a death by a signal does not count
   * as the job's error, but an end without {@code MPI_Finalize} does, whatever its code.
   */
  public static void endUnwanted(String why) {
    tell(why);
    Kintsugi.kintsugi_kill(Kintsugi.kintsugi_process_id(), SignalNumbers.SIGKILL);
  }

  /**
   * Ends this process, which is a job of its own to the launcher and was never needed. Does not return. Its exit code counts if
   * it is the last process.
   */
  public static void endUnneeded() {
    Runtime.getRuntime().halt(0);
  }

  /** Ends this process if it was started in a dead one's place, and nobody has needed it. */
  static void endIfUnneeded() {
    if (isUnneeded) {
      endUnneeded();
    }
  }

  /**
   * Marks this process, which was started in a dead one's place, as one that the others can go on without: until {@link
   * #markNeeded} its end, by an exception of the program's for instance, does not become the job's exit code. Nor does it pass
   * for a process that has done the job's work, as an exit behind {@code MPI_Finalize} would.
   */
  static void markUnneeded() {
    isUnneeded = true;
    Runtime.getRuntime().addShutdownHook(new Thread(() -> {
      if (isUnneeded) {
        Kintsugi.kintsugi_kill(Kintsugi.kintsugi_process_id(), SignalNumbers.SIGKILL);
      }
    }, "kintsugi-unneeded"));
  }

  /** Whether this process was started in a dead one's place, and the others have not taken it in. */
  public static boolean isUnneeded() {
    return isUnneeded;
  }

  /** Called once the others have taken this process in. */
  public static void markNeeded() {
    isUnneeded = false;
  }

  /** Ends this process at once; in the flavour reinit, where it would be started again, the whole job. Does not return. */
  static void endProcess(int code, String why) {
    if (Flavour.current() == Flavour.REINIT) {
      endJob(code, why);
    }
    tell(why);
    // Not exit: a shutdown hook that waits for MPI, or for the thread inside of it, would block for ever.
    Runtime.getRuntime().halt(code);
  }

  /** Makes all processes of the job roll back, although none has died. */
  public static void rollBackAll() {
    if (isJmpirun()) {
      say(LauncherLines.ROLL_BACK);
    } else {
      // mpirun passes the signal on to all; a daemon on another host does not, and then the caller's deadline ends the job.
      Kintsugi.kintsugi_kill(Kintsugi.kintsugi_parent_pid(), SignalNumbers.SIGUSR1);
    }
  }
}
