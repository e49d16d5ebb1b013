// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

import java.util.List;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.internal.lifetime.Scope;

/** Recovers the world: the operations that {@link ReinitPoint} needs from a native flavour. */
interface Provider {
  /** How an epoch ended on a process; its contribution to the meeting. */
  enum Ending {
    /** Its body has ended. */
    DONE,
    /** A failure made it roll back. */
    ROLLED_BACK,
    /** Its body threw: the run cannot go on. */
    THREW
  }

  /** The decision of the meeting, the same on every process. */
  enum Verdict {
    /** The run has ended: the body has ended on every process. */
    FINISHED,
    /** A body threw somewhere. */
    ABORTED,
    /** There is a new world. */
    RECOVERED,
    /** There are not enough processes, and the policy says to start the job again. */
    RESTART
  }

  /** Makes the first world, which replaces the processes that have failed before. */
  Verdict begin();

  /**
   * Ends an epoch: every process, spares included, meets here exactly once for each epoch.
   *
   * @param lastSeen when this process last knew that no process had failed, by System.nanoTime
   * @param learned when it detected the failure; meaningless unless it rolled back
   */
  Verdict meet(Ending ending, long lastSeen, long learned);

  /**
   * Why the run ends, after a meeting that decided on {@link Verdict#ABORTED}. Collective, spares included.
   *
   * @param mine why this process ends it; null if it does not
   * @return the reason of the lowest rank that has one; null if a failure interrupted the exchange
   */
  String tellWhy(String mine);

  /**
   * Releases the communicators and requests of an epoch, after the meeting that ended it.
   *
   * @param old the epoch's scope
   */
  void release(Scope old, Verdict verdict);

  /** Throws, by the world's scope, if a failure is known. Local. */
  void poll(Comm world);

  /** The world of the epoch that begins, for the caller to own; null on a spare. */
  Comm takeWorld();

  /**
   * Waits, just before the body is entered, for the other processes, if that makes them quicker.
   */
  void awaitOthers();

  /** The number of the epoch that begins. */
  int epoch();

  /** The size of the world of the epoch that begins. */
  int worldSize();

  /** This process's rank in the world, or -1 for a spare. */
  int role();

  /** Whether this process was a spare, or did not exist yet, when the last epoch ended. */
  boolean isReplacement();

  /** The number of processes that wait without a rank; 0 if the runtime has its own spares. */
  default int spares() {
    return 0;
  }

  /**
   * For a run that ends for a lack of processes: the end of a sentence that says how to avoid that.
   */
  default String remedy() {
    return "more --spares let it go on";
  }

  /** Whether the world has fewer ranks than it began with. */
  default boolean isShrunk() {
    return false;
  }

  /** The ranks whose processes died in the epoch that the last meeting ended, ascending. */
  List<Integer> failedRanks();

  /** The times of the recovery from the last failure. */
  RecoveryTimes times();

  /** A number that changes when the runtime reports a failure to this process. For any thread. */
  default int failuresReported() {
    return 0;
  }

  /** How often the process with this rank has died so far. */
  int failures(int rank);

  /** Ends what the provider holds; nothing of it is used afterwards. */
  void close();

  /** Whether the runtime takes the end of a process for a failure if its exit code is not 0. */
  default boolean isExitAFailure() {
    return false;
  }
}
