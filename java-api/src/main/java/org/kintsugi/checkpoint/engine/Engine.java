// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.engine;

import java.util.List;
import java.util.function.Predicate;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.runtime.internal.InRecovery;

/**
 * Keeps images of protected data: one image, a contiguous run of bytes, per rank and version. One object per process, which
 * lives through all recoveries. Unless "local" is said, methods are collective over the world last bound.
 *
 * <p>{@link org.kintsugi.checkpoint.Checkpoint} drives the protocol. A save: {@link #begin}, {@link #end}, agreement of all
 * ranks, {@link #commit}. A restore: {@link #versions}, {@link #fetch} of the newest, agreement (and of the next older if a
 * rank's part turned out damaged), {@link #resume}. After a failure anywhere in that: {@link #bind}, and a restore. Every engine
 * keeps these invariants: a save never touches the last version that is complete on every rank, wherever it is cut off; {@link
 * #fetch} returns the bytes that were saved or throws; a local error is thrown only after the method's own communication is
 * done, so that no peer is left waiting.
 */
public interface Engine extends AutoCloseable {
  /**
   * The engine's name in configuration and reports. Local.
   *
   * @return its name in {@link org.kintsugi.checkpoint.CheckpointConfig#STORE}, or several of them
   */
  String name();

  /**
   * A new world, after the start or a recovery; nothing of an old world may be touched any more. Before the first collective call
   * it may come again with a duplicate of that world, which is then the one to use. Local.
   *
   * @param world stays the caller's
   */
  @InRecovery
  void bind(Comm world);

  /**
   * Sets the run of the program that the versions are of. Comes in each epoch after {@link #bind}, before any other method.
   *
   * <p>Versions that outlive the process are kept apart by it: a run must never find those of the program's other runs, and
   * finds again those that the run with its ordinal has saved before the job was started again. Local.
   *
   * @param ordinal 1 for the program's first run; the same on all ranks
   * @throws UnsupportedOperationException if the engine has one place for versions only, and this is a later run
   */
  default void ofRun(long ordinal) {
    if (ordinal > 1) {
      throw new UnsupportedOperationException("checkpoint engine " + name() + " keeps the versions of one run of a program only, "
          + "and this is run " + ordinal + ": an engine that keeps them apart implements ofRun");
    }
  }

  /**
   * Begins to save a version; complete versions are not touched. Work that can be done in the background goes on until {@link
   * #end}.
   *
   * @param version its name, the same on all ranks
   * @param image this rank's part; levels go by its number
   * @param aside whether the program may change its data before {@code end}: the image has to be copied before this returns
   * @return the level that it goes to, for the record
   */
  String begin(Version version, Image image, boolean aside);

  /**
   * Waits until this rank's part is written.
   *
   * @throws CheckpointException if this rank's part failed; this does not notify the other ranks
   */
  void end();

  /**
   * Whether the engine's library advises a save now. An engine without such advice returns true.
   * This is for code that drives an engine itself: {@link
   * org.kintsugi.checkpoint.Checkpoint#needed} uses the cost of saves instead, and does not
   * communicate.
   *
   * @return the same on all ranks
   */
  default boolean needed() {
    return true;
  }

  /**
   * Every rank has written this version. Local.
   *
   * @param version the one that was begun last
   */
  void commit(Version version);

  /**
   * The versions that every rank of the world should be able to get back, the newest last; the same answer everywhere.
   *
   * @param wanted which of them may be taken, the same everywhere; the others are passed over
   * @return the newest last
   */
  List<Version> versions(Predicate<Version> wanted);

  /**
   * This rank's image of one of {@link #versions}.
   *
   * @param version the same on all ranks
   * @return the engine's, valid until the next save
   * @throws CheckpointException if this rank's part is damaged; the message names file, rank and version
   */
  Buf fetch(Version version);

  /**
   * Refuses to go on: none of {@link #versions} could be restored, and the program is about to begin from its start. Local.
   *
   * @throws CheckpointException on all ranks alike, if there is something that was not looked at
   */
  default void refuseLoss() {}

  /**
   * The program goes on from this version, or from its start ({@link Version#NONE}): forgets all versions that {@link
   * Version#isKeptWith} does not keep, also those that were not searched for yet.
   *
   * @param version the same on all ranks
   */
  void resume(Version version);

  /**
   * Forgets a version.
   *
   * @param number the one that the program has given it
   */
  void drop(long number);

  /**
   * Runs the code of a restore once, without MPI, and without touching versions or this object's state. A process that waits to
   * replace another one calls it, in a thread of its own: in a recovery all ranks would wait for code that runs for the first
   * time. Local.
   */
  default void rehearse() {}

  /**
   * From now on each save goes to the highest level, which outlives most: the end of the job is announced, and there may be no
   * later save. Ends with the epoch ({@link #bind}). An engine with one level does nothing. Local, on all ranks alike.
   */
  default void saveOnHighestLevel() {}

  /** Ends after the job's success; never called when the job dies. Local. */
  @Override
  void close();

  /**
   * Ends after a run that an exception has ended: versions that outlive the process stay, and locks are released, as the program
   * may begin another run. Local.
   */
  default void leave() {}
}
