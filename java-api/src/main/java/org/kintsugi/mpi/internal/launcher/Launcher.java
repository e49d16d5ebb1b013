// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.launcher;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.bindings.MPI;
import org.kintsugi.bindings.ReinitPlusPlus;
import org.kintsugi.mpi.internal.memory.Errors;
import org.kintsugi.runtime.ExitCodes;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.JobConfig;
import org.kintsugi.runtime.SignalNumbers;
import org.kintsugi.runtime.internal.protocol.OutputLine;

/**
 * A rank's requests to the program that started the job. In the flavour ulfm {@code MPI_Abort} ends
 * the job. The runtime of the flavour reinit treats any end of a process as a failure, starts the
 * process again, and has no call that ends the job ({@code MPI_Abort} hangs).
 *
 * <p>There {@code jmpirun} reads the job's stderr and interprets lines that begin with
 * {@value OutputLine#PREFIX} and the job's name, which no text of the program contains. Without
 * jmpirun this class ends the process by the rollback signal's default action: this is the only end
 * of a process that the runtime does not recover.
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
  private static void say(OutputLine words) {
    print(words.ofJob(JobConfig.JOB_NAME.value()));
  }

  /** To the user. */
  private static void tell(String words) {
    print("kintsugi: " + words);
  }

  private static void print(String line) {
    // In one write: otherwise other processes' output could come between.
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
      // The job is started again, whatever the exit codes of the processes.
      JobMark.ABORTED.leave(String.valueOf(ExitCodes.RESTART));
    }
    endProcess(ExitCodes.RESTART, why + FOR_RESTART);
  }

  /**
   * Ends the whole job, or only this process if the others have not admitted it. Does not return.
   *
   * @param why for the user; empty if another process says it
   */
  public static void endJob(int code, String why) {
    if (isUnneeded) {
      endUnwanted(why);
    }
    if (Flavour.current() == Flavour.ULFM) {
      // First of all: if mpirun hangs, printing may block for ever.
      JobMark.ABORTED.leave(String.valueOf(code));
    }
    if (!why.isEmpty()) {
      tell(why);
    }
    if (Flavour.current() == Flavour.ULFM) {
      abortMarked(code);
    }
    if (isJmpirun()) {
      if (code >= 0 && code <= OutputLine.MOST_CODES) {
        say(new OutputLine.End(code));
      }
      long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
      while (System.nanoTime() - until < 0) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
      }
    }
    ReinitPlusPlus.kintsugi_reinit_end_job();
  }

  /**
   * Ends the whole job in the flavour ulfm, without a message. {@code MPI_Abort}. May be called on
   * any thread, also while another one waits in MPI. A process that the others have not admitted
   * ends only itself.
   */
  public static void abort(int code) {
    if (isUnneeded) {
      endUnwanted("this new process has called MPI_Abort(" + code + ") before the run; the job goes on without it");
    }
    JobMark.ABORTED.leave(String.valueOf(code));
    abortMarked(code);
  }

  /**
   * As {@link #abort}, because another process has failed. The job gets that process's exit code, which mpirun knows, if jmpirun
   * is on this host; otherwise 1, because mpirun alone would end with 0 after a failed process that exited with 0.
   */
  public static void abortForFailedProcess() {
    if (!isUnneeded) {
      JobMark.ABORTED.leave("0");
    }
    abort(JobMark.ABORTED.isLeft() ? 0 : 1);
  }

  private static void abortMarked(int code) {
    LauncherConnection.sayThatNobodyIsNeeded();
    Errors.check(MPI.MPI_Abort(MPI.MPI_COMM_WORLD, code), "MPI_Abort");
  }

  /**
   * Keeps this process alive after its program has ended. The launcher ends the job in a moment;
   * before that the other processes would report this process's end as a failure.
   */
  public static void awaitEnd() {
    Thread thread = new Thread(() -> LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)), "kintsugi-last-words");
    thread.setDaemon(false);
    thread.start();
  }

  /**
   * Kills this process; the others continue without it. Does not return. Flavour ulfm: there the
   * end of a process by a signal does not count as the job's error, but an exit without
   * {@code MPI_Finalize} does, whatever its code.
   */
  public static void endUnwanted(String why) {
    tell(why);
    Kintsugi.kintsugi_kill(Kintsugi.kintsugi_process_id(), SignalNumbers.SIGKILL);
  }

  /**
   * Ends this process, which was never needed. Does not return. The process is a job of its own for
   * the launcher, and its exit code counts if it is the last process.
   */
  public static void endUnneeded() {
    Runtime.getRuntime().halt(0);
  }

  /** Ends this process if it is a replacement that was not needed. */
  static void endIfUnneeded() {
    if (isUnneeded) {
      endUnneeded();
    }
  }

  /**
   * Marks this process, a replacement, as not needed yet. Until {@link #markNeeded} its end, by an
   * exception of the program for instance, does not become the job's exit code. If the program
   * exits, the process kills itself: an exit after {@code MPI_Finalize} would look like a process
   * that has done the job's work.
   */
  static void markUnneeded() {
    isUnneeded = true;
    Runtime.getRuntime().addShutdownHook(new Thread(() -> {
      if (isUnneeded) {
        Kintsugi.kintsugi_kill(Kintsugi.kintsugi_process_id(), SignalNumbers.SIGKILL);
      }
    }, "kintsugi-unneeded"));
  }

  /**
   * Whether this process is a replacement that the others have not admitted.
   */
  public static boolean isUnneeded() {
    return isUnneeded;
  }

  /** Called when the others have admitted this process. */
  public static void markNeeded() {
    isUnneeded = false;
  }

  /** Ends this process at once; in the flavour reinit, where it would be started again, the whole job. Does not return. */
  public static void endProcess(int code, String why) {
    if (Flavour.current() == Flavour.REINIT) {
      endJob(code, why);
    }
    tell(why);
    // Not System.exit: a shutdown hook that waits for MPI, or for a thread in MPI, would block for
    // ever.
    Runtime.getRuntime().halt(code);
  }

  /** Makes all processes of the job roll back, although none has failed. */
  public static void rollBackAll() {
    if (isJmpirun()) {
      say(new OutputLine.RollBack());
    } else {
      // mpirun forwards the signal to all; a daemon on another host does not, and then the caller's
      // deadline ends the job.
      Kintsugi.kintsugi_kill(Kintsugi.kintsugi_parent_pid(), SignalNumbers.SIGUSR1);
    }
  }
}
