// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.bindings.MPI;
import org.kintsugi.bindings.ReinitPlusPlus;
import org.kintsugi.mpi.internal.launcher.JobMark;
import org.kintsugi.mpi.internal.launcher.Launcher;
import org.kintsugi.mpi.internal.lifetime.Deadline;
import org.kintsugi.mpi.internal.lifetime.RollbackSignal;
import org.kintsugi.mpi.internal.lifetime.RunState;
import org.kintsugi.mpi.internal.memory.Errno;
import org.kintsugi.mpi.internal.memory.Errors;
import org.kintsugi.mpi.internal.threads.VirtualThreads;
import org.kintsugi.runtime.internal.InRecovery;

/** The beginning and the end of MPI on the Reinit++ fork, where a failure comes as a signal. */
final class Rollbacks {
  /** How long {@code MPI_Finalize} may take after a process has failed during it. */
  private static final long FINALIZE_SECONDS = 5;

  private static final String SIGTERM_HANDLER = "SIGTERM handler";

  private Rollbacks() {}

  /**
   * Prepares for rollbacks before MPI_Init. Until then the signal is ignored, or ends this process
   * if jmpirun did not start it.
   */
  static void prepare(ThreadLevel required) {
    if (required.compareTo(ThreadLevel.FUNNELED) > 0) {
      throw new IllegalStateException("thread level " + required + " is required, and on the Reinit++ fork of Open MPI only "
          + ThreadLevel.FUNNELED + " outlives a failure");
    }
    if (VirtualThreads.isCurrent()) {
      throw new IllegalStateException(
          "Mpi.init is called on " + Thread.currentThread() + ", a virtual thread: on the Reinit++ fork "
              + "of Open MPI a rollback comes as a signal to the thread that initialised MPI, so let a platform thread do it");
    }
    int error = ReinitPlusPlus.kintsugi_reinit_prepare();
    if (error != 0) {
      throw new IllegalStateException(
          "cannot prepare for rollbacks: " + Errno.text(error) + "; is the MPI in use the Reinit++ fork?");
    }
    Runtime.getRuntime().addShutdownHook(new AtExit());
  }

  /**
   * Ends the job if this process exits by itself without closing MPI.
   *
   * <p>Otherwise the runtime would take the exit for a failure, and start the process again and
   * again. During a Reinit run the exit is treated as a failure, because the run recovers from
   * every end of a process. After MPI_Finalize it leaves a mark for a replacement that the runtime
   * may start because of an error as exit code: this process was not killed.
   */
  @InRecovery
  private static final class AtExit extends Thread {
    AtExit() {
      super("kintsugi-at-exit");
    }

    @Override
    public void run() {
      if (isTerminated()) {
        return;
      }
      if (Mpi.isOver()) {
        JobMark.EXITED.leaveForRank();
      } else if (Mpi.isActive() && !RunState.isOpen()) {
        Launcher.endJob(1, "this process ends without Mpi.close, and the job with it");
      }
    }
  }

  /** Whether SIGTERM ends this process. That is a failure like any other, or the end of the job. */
  private static boolean isTerminated() {
    return Thread.getAllStackTraces().keySet().stream().anyMatch(thread -> thread.getName().equals(SIGTERM_HANDLER));
  }

  static void finalizeMpi() {
    String died = "a process died when no Reinit run could recover it any more";
    if (RollbackSignal.isPending()) {
      Launcher.endJobForRestart(died);
    }
    Deadline deadline = Deadline.begin(FINALIZE_SECONDS, RollbackSignal::isPending, died);
    int code = MPI.MPI_Finalize();
    deadline.close();
    Errors.check(code, "MPI_Finalize");
    ReinitPlusPlus.kintsugi_reinit_release();
  }
}
