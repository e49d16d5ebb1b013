// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.fti;

import org.kintsugi.checkpoint.engine.CheckpointException;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.internal.collective.FailureExchange;
import org.kintsugi.mpi.internal.lifetime.Deadline;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.JobConfig;

/** One epoch's world for FTI: its ranks, their layout, and agreements on errors. */
final class FtiWorld {
  private final Comm comm;
  private final int rank;
  private final int ranks;
  private final FtiRules rules;

  /**
   * @throws IllegalArgumentException if FTI cannot run on this number of ranks with the job's
   *     settings
   */
  FtiWorld(Comm comm) {
    this.comm = comm;
    rank = comm.rank();
    ranks = comm.size();
    rules = FtiRules.ofJob(ranks);
  }

  Comm comm() {
    return comm;
  }

  int rank() {
    return rank;
  }

  int ranks() {
    return ranks;
  }

  FtiRules rules() {
    return rules;
  }

  /** The problem of the lowest rank that has one, on all ranks; null if none has. Collective. */
  String reason(String problem) {
    return FailureExchange.agree(comm, problem == null ? null : "rank " + rank + " " + problem);
  }

  /** @throws CheckpointException on all ranks, if there is a problem on one */
  void agree(String problem) {
    String reason = reason(problem);
    if (reason != null) {
      throw new CheckpointException(reason);
    }
  }

  /**
   * As {@link #reason}, for errors that FTI reports. If FTI has failed on one rank alone, the others may wait in it. With ULFM
   * they have been released ({@link FtiInstance#release}); on the Reinit++ fork the only way out is a restart.
   */
  String reasonOfFti(String problem) {
    Deadline deadline = problem == null || Flavour.current() == Flavour.ULFM ? null
        : Deadline.begin(JobConfig.RECOVERY_TIMEOUT_SECONDS.longValue(), null,
            "FTI has failed on rank " + rank + " (" + problem + "), and others still wait in it");
    try {
      return reason(problem);
    } finally {
      if (deadline != null) {
        deadline.close();
      }
    }
  }
}
