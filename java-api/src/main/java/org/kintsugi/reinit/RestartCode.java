// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.internal.launcher.JobMark;
import org.kintsugi.mpi.internal.launcher.Launcher;
import org.kintsugi.mpi.internal.lifetime.Deadline;
import org.kintsugi.runtime.JobConfig;

/**
 * Ends the job with {@link Mpi#RESTART_CODE}, so that the launcher or the batch system starts it again. All ranks end here; a
 * spare goes on after its run, as after any other, and ends with the program's code.
 */
final class RestartCode {
  private RestartCode() {}

  /** Policy RESTART: processes have failed that nothing replaces. The run has ended in this process. Does not return. */
  static void endUnrepaired(Mpi mpi, Provider provider) {
    String code = JobMark.ABORTED.text();
    boolean isAborted = code != null && !code.equals(String.valueOf(Mpi.RESTART_CODE));
    if (provider.role() == 0 && !isAborted) { // else they died of an abort, which ends this process, too
      System.err
          .println("kintsugi: rank(s) " + provider.failedRanks() + " died, and there are not enough spares for their places: "
              + "the job ends with code " + Mpi.RESTART_CODE + ". jmpirun --restart starts it again; " + provider.remedy());
    }
    end(mpi);
  }

  /** {@link Run#endForRestart} has left the body on every rank. Does not return where the launcher must end the job. */
  static void announce(Provider provider) {
    String why = provider.role() == 0 ? "the program ends the job, to be started again" : "";
    if (provider.isExitAFailure()) {
      Launcher.endJob(Mpi.RESTART_CODE, why);
    }
    if (!why.isEmpty()) {
      System.err.println("kintsugi: " + why + " (code " + Mpi.RESTART_CODE + ")");
    }
  }

  /** Ends MPI and this process. Does not return. */
  static void end(Mpi mpi) {
    // The deadline stays open to the end: other processes may die meanwhile.
    Deadline.beginEndForRestart(JobConfig.RECOVERY_TIMEOUT_SECONDS.longValue(),
        "the end of MPI before another start of the job has taken longer than -D"
            + JobConfig.RECOVERY_TIMEOUT_SECONDS.property());
    try {
      mpi.close();
    } finally {
      System.exit(Mpi.RESTART_CODE); // in any case: without this code the launcher does not start the job again
    }
  }
}
