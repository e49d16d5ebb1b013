// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

import org.kintsugi.bindings.MPI;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.checkpoint.internal.CheckpointAccess;
import org.kintsugi.inject.FaultPlan;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.MpiFaultException;
import org.kintsugi.mpi.internal.Access;
import org.kintsugi.mpi.internal.lifetime.Deadline;
import org.kintsugi.mpi.internal.lifetime.Scope;
import org.kintsugi.mpi.internal.lifetime.ScopedComm;
import org.kintsugi.mpi.internal.memory.Errors;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.JobConfig;
import org.kintsugi.runtime.internal.Schedule;

/**
 * A recovery that all processes play through before the first epoch, on a communicator of its own: saving, a revoked
 * communicator, the exception, the rollback, restoring. Code that runs for the first time in a real recovery costs a JVM 10 to
 * 30 ms for loading and linking classes, and every process waits for the slowest.
 *
 * <p>Nothing depends on the rehearsal. A process failure meanwhile ends it on all processes: the
 * process that detects it revokes the communicator.
 */
final class Rehearsal implements Scope.FaultHandler {
  private final Scope scope = new Scope("the rehearsal", this);

  private Rehearsal() {}

  /**
   * Collective over a communicator, which is closed at the end.
   *
   * @return false if a failure ended it early
   */
  static boolean play(Comm everybody, String nodeName) {
    return new Rehearsal().playOn(everybody, nodeName);
  }

  /**
   * The part that needs no MPI. A JVM that waits to replace a failed rank plays it in advance: the
   * whole rehearsal would take too long there.
   */
  @WarmUp
  private static void playAlone() {
    Rehearsal rehearsal = new Rehearsal();
    Schedule.parse("rehearsal", "memory");
    CheckpointAccess.get().inMemory("nowhere").close();
    FaultPlan.parse("", 1);
    new Reinit.Options();
    Deadline.begin(JobConfig.RECOVERY_TIMEOUT_SECONDS.longValue(), null, "rehearsal").close();
    RecoveryTimes times = new RecoveryTimes();
    int[] told = new int[RecoveryTimes.FIELDS];
    times.note(0, 0);
    times.tell(told, 0, true, 0);
    times.begin();
    times.hear(told, 0);
    times.end(0);
    try {
      throw rehearsal.onFault(new MpiFaultException(MPI.MPI_ERR_PROC_FAILED, MPI.MPI_ERR_PROC_FAILED, "rehearsal", ""),
          rehearsal.scope);
    } catch (Rollback expected) {
      rehearsal.scope.end();
    }
  }

  private boolean playOn(Comm everybody, String nodeName) {
    Comm stage = Access.comms().move(everybody, scope);
    boolean complete = false;
    try {
      Checkpoint checkpoint = CheckpointAccess.get().inMemory(nodeName);
      double[] data = {1};
      CheckpointAccess.get().bind(checkpoint, stage);
      checkpoint.protect("data", data);
      checkpoint.save(1);
      checkpoint.restore();
      stage.barrier();
      complete = true;
      // A process that has passed this barrier revokes the stage, and no process can still be in the first barrier.
      stage.barrier();
      if (Flavour.current() == Flavour.ULFM) {
        stage.revoke();
        stage.barrier();
      }
      throw scope.failure(MPI.MPI_ERR_PROC_FAILED, "rehearsal");
    } catch (Rollback expected) {
      // Loads the other exception of this path, and MPI's text for it.
      Errors.exception(MPI.MPI_ERR_PROC_FAILED, "rehearsal");
    }
    for (ScopedComm comm : scope.comms()) {
      comm.revokeQuietly();
      comm.freeStale();
    }
    return complete;
  }

  @Override
  public RuntimeException onFault(RuntimeException fault, Scope of) {
    for (ScopedComm comm : of.comms()) {
      comm.revokeQuietly();
    }
    Rollback rollback = new Rollback("rehearsed", fault);
    of.endBy(rollback);
    throw rollback;
  }
}
