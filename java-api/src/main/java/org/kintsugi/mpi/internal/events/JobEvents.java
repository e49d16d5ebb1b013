// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.events;

import java.util.List;
import org.kintsugi.runtime.JobConfig;
import org.kintsugi.runtime.internal.InRecovery;
import org.kintsugi.runtime.internal.protocol.RankPlace.Phase;

/**
 * Reports what this process does, for a recording.
 *
 * <p>This class itself does nothing: it is what a process has that is not recorded. {@link FlightEvents} writes events. Which of
 * the two a process has is decided once, so that the JVM's compilers can leave out the calls, and no class of JFR is loaded in
 * processes without a recording.
 *
 * <p>Steps, iterations and saves are reported by the thread that calls MPI.
 */
@InRecovery
public class JobEvents {
  /** Whether this process writes events. A constant to the JVM's compilers. */
  public static final boolean ARE_ON = JobConfig.RECORD.booleanValue();

  private static final JobEvents CURRENT = ARE_ON ? FlightEvents.ofThisProcess() : new JobEvents();

  JobEvents() {}

  /** The events of this process. */
  public static JobEvents now() {
    return CURRENT;
  }

  /** MPI is about to be initialised in a process with this rank in the job that the launcher has started. */
  public void begin(int launchRank) {}

  /** A phase begins, under a rank: the one in the program's world, or in the job outside of a run. */
  public void phase(Phase next, int rank) {}

  /** This process knows that another one has failed. May be called on any thread. */
  public void failure(String message) {}

  /** A step of a recovery begins, and the one before it ends. */
  public void step(RecoveryStep next) {}

  /**
   * The present step has ended in all processes at the same time, nearly: none has left it before all had entered it. It leads to
   * this epoch.
   */
  public void together(int epoch) {}

  /**
   * An epoch begins in this process, and with that the last step of a recovery ends.
   *
   * @param rank in the epoch's world; negative: this process is a spare
   * @param size of the epoch's world; 0: not known to a spare
   * @param state of this process
   * @param failed the ranks of the last epoch's world that had failed
   */
  public void epoch(int epoch, int rank, int size, String state, List<Integer> failed) {}

  /** The body reports an iteration. */
  public void iteration(long number) {}

  /** A part of a save begins for which the program waits. */
  public void saving(long version) {}

  /** That part has ended. */
  public void saved(String level, long bytes) {}

  /** A restore begins. */
  public void restoring() {}

  /** The level that the version is taken from. */
  public void takenFrom(String level) {}

  /** The restore has ended; the number is negative if there was no version. */
  public void restored(long version, String engine) {}
}
