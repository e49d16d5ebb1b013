// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.files;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.kintsugi.checkpoint.engine.CheckpointException;
import org.kintsugi.checkpoint.engine.Version;
import org.kintsugi.checkpoint.internal.GatheredNumbers;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.internal.collective.FailureExchange;

/** What all ranks have found in the files of {@link FileEngine}: versions, and reasons not to use them. */
final class FileSurvey {
  /** The number of slots of a rank. */
  static final int SLOTS = 2;
  /**
   * The numbers that a rank contributes: the versions in its slots, whether it has the lock, and its trouble, which is 0, {@link
   * #UNREADABLE}, {@link #MISSING} or the ranks of another world.
   */
  static final int LOCK = SLOTS * Version.WORDS;
  static final int TROUBLE = LOCK + 1;
  static final int FIELDS = TROUBLE + 1;
  static final long UNREADABLE = -1;
  static final long MISSING = -2;

  private final Comm world;
  private final Path folder;
  private final String option;
  private final GatheredNumbers all;

  private FileSurvey(Comm world, Path folder, String option, GatheredNumbers all) {
    this.world = world;
    this.folder = folder;
    this.option = option;
    this.all = all;
  }

  /** Has the class loaded, and does nothing else. */
  static void load() {}

  /**
   * Gathers the numbers of all ranks. Collective.
   *
   * @param option which sets the folder, for messages
   */
  static FileSurvey byAll(Comm world, Path folder, String option, long... mine) {
    return new FileSurvey(world, folder, option, GatheredNumbers.byAll(world, mine));
  }

  /** Whether rank 0 has the folder's lock. */
  boolean isLocked() {
    return all.of(0, LOCK) != 0;
  }

  /**
   * Collective where there is trouble.
   *
   * @param mine the error on this rank; null if there is none
   * @throws CheckpointException on all ranks, if any rank has trouble
   */
  void refuseTrouble(String mine) {
    List<Integer> missing = new ArrayList<>();
    for (int rank = 0; rank < world.size(); rank++) {
      long trouble = all.of(rank, TROUBLE);
      if (trouble == UNREADABLE) {
        throw new CheckpointException(FailureExchange.agree(world, mine));
      }
      if (trouble == MISSING) {
        missing.add(rank);
      } else if (trouble != 0) {
        throw new CheckpointException("rank " + rank + "'s checkpoint in " + folder + " was written by one of " + trouble
            + " ranks, and the world has " + world.size() + ": restart with as many, or use another folder ("
            + option + ")");
      }
    }
    if (!missing.isEmpty() && ranksWithout().size() < world.size()) {
      throw new CheckpointException(
          "rank(s) " + missing + " see no folder " + folder + ", in which others have versions: it has to be "
              + "on a file system that all nodes share (" + option + "); nothing in it was changed");
    }
  }

  /** The ranks that have no version at all. */
  private List<Integer> ranksWithout() {
    List<Integer> without = new ArrayList<>();
    for (int rank = 0; rank < world.size(); rank++) {
      if (all.version(rank, 0).isNone() && all.version(rank, Version.WORDS).isNone()) {
        without.add(rank);
      }
    }
    return without;
  }

  /**
   * Warns that no version is on every rank. This is no exception, because a job that ended inside
   * its first save leaves such files. But files may have been lost, too.
   */
  void tellThatNoneIsComplete() {
    List<Integer> without = ranksWithout();
    if (without.size() < world.size() && world.rank() == 0) {
      System.err.println("kintsugi: no version in " + folder + " is on every rank"
          + (without.isEmpty() ? "" : ": rank(s) " + without + " have none") + ". What no other level has begins anew");
    }
  }

  /** Whether every rank has this version. */
  boolean isEverywhere(Version version) {
    for (int rank = 0; rank < world.size(); rank++) {
      if (!all.has(rank, 0, SLOTS, version)) {
        return false;
      }
    }
    return true;
  }
}
