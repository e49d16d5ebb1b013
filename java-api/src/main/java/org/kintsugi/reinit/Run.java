// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

import java.util.List;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.mpi.Comm;

/** The body's view of a {@link Reinit} run; valid during one entry of the body. */
public interface Run {
  /**
   * The world of this epoch: the program's processes without spares. Not to be closed; stale after a rollback.
   *
   * @return the same object all through the epoch
   */
  Comm world();

  /**
   * How this process came into the body.
   *
   * @return the same all through the epoch
   */
  State state();

  /**
   * The number of recoveries before this entry of the body.
   *
   * @return 0 in the first epoch
   */
  int epoch();

  /**
   * The number of spares that are left.
   *
   * @return their number; 0 on the Reinit++ fork, whose runtime has its own
   */
  int spares();

  /**
   * Whether the world has become smaller because spares ran out under {@link Policy#SHRINK}.
   *
   * @return whether {@code world().size()} is less than at the beginning
   */
  boolean isShrunk();

  /**
   * Protects and saves data; the same object in every epoch, bound to this epoch's world.
   *
   * @return not to be closed
   */
  Checkpoint checkpoint();

  /**
   * Marks an iteration: the place where injected faults strike, and a {@link #poll}. Local.
   *
   * @param iteration the program's own count
   */
  void iteration(long iteration);

  /** Throws {@link Rollback} if a failure is known. Local; for long computations without MPI calls. */
  void poll();

  /**
   * Whether the batch system has announced that the job's time ends soon: {@code jmpirun} has got SIGUSR1, which it passes on to
   * all processes (in a job script of Slurm {@code #SBATCH --signal=B:USR1@120}). Save then, and call {@link #endForRestart}.
   * From the first answer {@code true} on saves go to the highest level of the checkpoint, whatever its turn is.
   * Collective over {@link #world}, so that all ranks get the same answer in the same iteration. It costs a reduction of one
   * number: a loop with short iterations should ask only every tenth iteration.
   *
   * @return false also where {@code jmpirun} has not started the job
   */
  boolean isEndAnnounced();

  /**
   * Ends the job with code {@value org.kintsugi.mpi.Mpi#RESTART_CODE}, as one that is to be started again: {@code jmpirun}, the
   * job script or the batch system does so. Versions in files stay, and the next start restores them; those in memory are lost.
   * Collective over {@link #world}. Does not return: the body is left by an {@code Error} that it must let pass.
   */
  void endForRestart();

  /**
   * The recoveries that this process took part in, the oldest first. Spares take part in all; a process that the runtime of the
   * Reinit++ fork has started knows those from its own on ({@link #epoch} counts all).
   *
   * @return the recoveries; cannot be changed
   */
  List<Recovery> recoveries();

  /**
   * Pushes a handler that runs before a rollback returns to the restart point, the newest first ({@code
   * MPI_Cleanup_handler_push}). Handlers may not use MPI. All are called and dropped with the rollback; an exception in one ends
   * the run everywhere.
   *
   * @param handler called once at most, on the thread that has entered the body
   */
  void pushCleanup(Runnable handler);

  /**
   * Removes the newest handler ({@code MPI_Cleanup_handler_pop}).
   *
   * @return the handler, which has not been called
   * @throws java.util.NoSuchElementException if none is there
   */
  Runnable popCleanup();
}
