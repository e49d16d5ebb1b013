// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.checkpoint.internal.CheckpointAccess;
import org.kintsugi.checkpoint.internal.proof.ProofRecord;
import org.kintsugi.inject.Killer;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.internal.events.JobEvents;
import org.kintsugi.mpi.internal.launcher.CallTrace;
import org.kintsugi.mpi.internal.launcher.LauncherConnection;
import org.kintsugi.runtime.Kill;
import org.kintsugi.runtime.internal.InRecovery;

/** The body's view of one epoch. */
final class EpochRun implements Run {
  private final ReinitPoint point;
  private final Comm world;
  private final State state;
  private final int epoch;
  private final int failures;
  private final Deque<Runnable> cleanups = new ArrayDeque<>();
  private long iteration = -1;
  private boolean endsForRestart;

  @InRecovery
  EpochRun(ReinitPoint point, Comm world, State state) {
    this.point = point;
    this.world = world;
    this.state = state;
    epoch = point.provider().epoch();
    failures = point.provider().failures(world.rank());
  }

  @Override
  public Comm world() {
    return world;
  }

  @Override
  public State state() {
    return state;
  }

  @Override
  public int epoch() {
    return epoch;
  }

  @Override
  public int spares() {
    return point.provider().spares();
  }

  @Override
  public boolean isShrunk() {
    return point.provider().isShrunk();
  }

  @Override
  public Checkpoint checkpoint() {
    return point.checkpoint();
  }

  @Override
  public void iteration(long iteration) {
    this.iteration = iteration;
    CallTrace.step();
    if (ProofRecord.OF_JOB != null) {
      ProofRecord.OF_JOB.iteration(world.rank(), iteration);
    }
    JobEvents.now().iteration(iteration);
    Kill kill = point.faultPlan().due(world.rank(), failures, iteration);
    if (kill != null) {
      Killer.carryOut(kill);
    }
    poll();
  }

  @Override
  public void poll() {
    point.provider().poll(world);
    point.allIsWell();
  }

  @Override
  public boolean isEndAnnounced() {
    // A rank whose line from the launcher is late must not go on alone.
    boolean isAnnounced = world.allReduce(LauncherConnection.isEndAnnounced() ? 1 : 0, Op.MAX) == 1;
    if (isAnnounced) {
      // The next save may be the last one, and what is in memory is lost with the job.
      CheckpointAccess.get().saveOnHighestLevel(checkpoint());
    }
    return isAnnounced;
  }

  @Override
  public void endForRestart() {
    // Versions are removed when the body has ended well: a rank that returns instead would remove its own. Here all wait for it,
    // and the launcher reports where.
    world.barrier();
    endsForRestart = true;
    throw new EndForRestart();
  }

  /** Whether the body has asked for the end of the job, to be started again. */
  boolean endsForRestart() {
    return endsForRestart;
  }

  @Override
  public List<Recovery> recoveries() {
    return point.recoveries();
  }

  @Override
  public void pushCleanup(Runnable handler) {
    cleanups.push(Objects.requireNonNull(handler, "handler is null"));
  }

  @Override
  public Runnable popCleanup() {
    return cleanups.pop();
  }

  /** Runs all cleanup handlers, the newest first, and throws the first exception in the end. */
  @InRecovery
  void cleanUp() {
    Throwable first = null;
    while (!cleanups.isEmpty()) {
      try {
        cleanups.pop().run();
      } catch (RuntimeException | Error e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (first != null) {
      throw ReinitPoint.<RuntimeException>unchecked(first);
    }
  }

  /** The next kill for this rank, which may strike in the next iterations or at the body's entry; null: none. */
  @InRecovery
  Kill nextKill() {
    return point.faultPlan().next(world.rank(), failures);
  }

  /**
   * The kills that can strike no more, as the world has shrunk and lacks their ranks. Rank 0 knows of them, if it has seen all
   * recoveries.
   */
  List<Kill> killsWithoutRank() {
    List<Kill> all = new ArrayList<>();
    List<Recovery> recoveries = recoveries();
    if (world.rank() == 0 && recoveries.size() == epoch()) {
      for (Kill kill : point.faultPlan().kills()) {
        int struck = (int) recoveries.stream().filter(recovery -> recovery.failedRanks().contains(kill.rank())).count();
        if (kill.rank() >= world.size() && kill.equals(point.faultPlan().next(kill.rank(), struck))) {
          all.add(kill);
        }
      }
    }
    return all;
  }

  /** The last argument of {@link #iteration(long)}; -1: none yet. */
  long lastIteration() {
    return iteration;
  }
}
