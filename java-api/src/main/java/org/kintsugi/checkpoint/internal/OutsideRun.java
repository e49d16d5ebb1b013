// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.kintsugi.checkpoint.engine.CheckpointException;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.internal.Access;
import org.kintsugi.mpi.internal.files.LockOwner;
import org.kintsugi.mpi.internal.lifetime.RunState;
import org.kintsugi.mpi.internal.lifetime.Scope;

/**
 * The communicators of a checkpoint that is used without a Reinit run. They are a duplicate of the
 * program's communicator and all that are made from it. They stay open until the program goes on
 * with another communicator. (Within a run, the run closes them.)
 *
 * <p>They are revoked as soon as the program's communicator is revoked. Otherwise a process could
 * wait in a save for another that has seen the failure elsewhere, while that process waits for the
 * first one in {@code shrink}.
 */
public final class OutsideRun {
  /** The time for interrupted requests to complete after a failure, as in a Reinit run. */
  private static final long DRAIN_NANOS = TimeUnit.SECONDS.toNanos(2);
  /** A process has one at a time: only one set of communicators can be revoked together. */
  private static final AtomicReference<OutsideRun> OPEN = new AtomicReference<>();

  private Comm given;
  private int size;
  private int rank;
  /** Whether the ranks are those of the communicator before. */
  private boolean isInPlace = true;
  private Scope scope;

  private OutsideRun() {}

  /**
   * For a new checkpoint.
   *
   * @throws IllegalStateException if a run is open, or another checkpoint outside of a run
   */
  public static OutsideRun begin() {
    if (RunState.isOpen()) {
      throw new IllegalStateException(
          "Checkpoint.on was called inside a Reinit run, which has a checkpoint: use run.checkpoint()");
    }
    OutsideRun begun = new OutsideRun();
    if (!OPEN.compareAndSet(null, begun)) {
      throw new IllegalStateException("this process has a checkpoint on a communicator already: close that one first, or go on "
          + "with it on another communicator by moveTo");
    }
    return begun;
  }

  /** The program's communicator from now on; nothing of an earlier one may be touched any more. Local. */
  public void moveTo(Comm next) {
    int nextSize = next.size();
    int nextRank = next.rank();
    isInPlace = given == null || nextSize != size || nextRank == rank;
    if (isInPlace) {
      rank = nextRank;
    }
    size = nextSize;
    given = next;
    leave();
  }

  /** A duplicate to work with. Collective. */
  public Comm duplicate() {
    Scope made = new Scope("the checkpoint's use of a communicator", OutsideRun::onFault);
    scope = made;
    made.follow(Access.comms().inScope(given));
    Comm duplicate = Access.comms().move(WorldDuplicate.of(given), made);
    AllOrNone.run(duplicate, this::requireInPlace);
    return duplicate;
  }

  /** The images in memory belong to ranks. */
  private void requireInPlace() {
    if (!isInPlace) {
      throw new CheckpointException("a process that had rank " + rank + " has rank " + given.rank()
          + " in the communicator that the checkpoint has been moved to, which is of the same size: survivors keep their ranks, "
          + "and replacements take those of failed processes. Make the communicator by split(0, rank), where rank is the old "
          + "rank, or that of the failed process");
    }
  }

  /** Sets the epoch of this process to the one that all agree on: a replacement has counted fewer. */
  public void enterEpoch(long epoch) {
    LockOwner.enter(epoch);
  }

  private static RuntimeException onFault(RuntimeException fault, Scope scope) {
    scope.revokeAll();
    return fault;
  }

  /** Ends the use of the objects made from a communicator. Without a failure, others may still be in the last call. */
  private void leave() {
    if (scope != null && scope.isCutOff()) {
      scope.abandon(DRAIN_NANOS);
    } else if (scope != null) {
      scope.finish();
    }
    scope = null;
  }

  /** The checkpoint is not used any more. Local. */
  public void end() {
    leave();
    OPEN.compareAndSet(this, null);
  }
}
