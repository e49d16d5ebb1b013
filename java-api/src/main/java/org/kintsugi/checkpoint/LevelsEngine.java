// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint;

import java.util.BitSet;
import java.util.List;
import java.util.TreeSet;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;

/**
 * Several engines as the levels of one: each save goes to one of them, by a schedule, and a restore takes the newest version
 * that any of them has. A level that cannot be looked at is passed over if others have something.
 */
final class LevelsEngine implements Engine {
  private final Schedule schedule;
  private final List<Engine> levels;
  private Engine current;
  private int rank;

  /** What each level had when it was last asked, in the order of the levels. */
  private long[][] found = {};

  /** Levels that could not be looked at in this epoch: nobody knows what they have, and nothing there may be touched. */
  private final BitSet passedOver = new BitSet();

  /** Why, of the last of them; null if there are none. */
  private CheckpointException trouble;

  LevelsEngine(Schedule schedule, List<Engine> levels) {
    this.schedule = schedule;
    this.levels = List.copyOf(levels);
    current = this.levels.get(0);
  }

  @Override
  public String name() {
    return String.join(",", schedule.names());
  }

  @Override
  public void bind(Comm world) {
    found = new long[0][];
    forgetPassedOver();
    rank = world.rank();
    levels.forEach(level -> level.bind(world));
  }

  @Override
  public String begin(long version, Image image, boolean aside) {
    int level = schedule.levelOf(image.save());
    current = levels.get(passedOver.get(level) ? passedOver.nextClearBit(0) : level);
    return current.begin(version, image, aside);
  }

  @Override
  public void end() {
    current.end();
  }

  @Override
  public void commit(long version) {
    current.commit(version);
  }

  @Override
  public long[] versions() {
    TreeSet<Long> all = new TreeSet<>();
    forgetPassedOver();
    found = new long[levels.size()][];
    for (int i = 0; i < found.length; i++) {
      try {
        found[i] = levels.get(i).versions();
      } catch (CheckpointException e) {
        // On all ranks alike.
        found[i] = new long[0];
        passedOver.set(i);
        trouble = e;
      }
      for (long version : found[i]) {
        all.add(version);
      }
    }
    if (trouble != null && all.isEmpty()) {
      throw trouble;
    }
    if (trouble != null && rank == 0) {
      System.err
          .println("kintsugi: a level is passed over, as others have versions, and saves go to those until it can be looked at: "
              + trouble.getMessage());
    }
    return all.stream().mapToLong(Long::longValue).toArray();
  }

  private void forgetPassedOver() {
    passedOver.clear();
    trouble = null;
  }

  @Override
  public void refuseLoss() {
    if (trouble != null) {
      throw new CheckpointException(
          "none of the versions on the levels of " + name() + " that could be looked at can be read, and "
              + "one level could not, where there may be more: " + trouble.getMessage(),
          trouble);
    }
  }

  @Override
  public Buf fetch(long version) {
    for (int i = 0; i < found.length; i++) {
      for (long candidate : found[i]) {
        if (candidate == version) {
          return levels.get(i).fetch(version);
        }
      }
    }
    throw new IllegalArgumentException("version " + version + " is on none of the levels " + name());
  }

  @Override
  public void resume(long version) {
    if (version == NONE) {
      forgetPassedOver(); // the program begins anew, wanting nothing of what there is
    }
    for (int i = 0; i < levels.size(); i++) {
      if (!passedOver.get(i)) {
        levels.get(i).resume(version);
      }
    }
  }

  @Override
  public void drop(long version) {
    for (int i = 0; i < levels.size(); i++) {
      if (!passedOver.get(i)) {
        levels.get(i).drop(version);
      }
    }
  }

  @Override
  public void close() {
    levels.forEach(Engine::close);
  }
}
