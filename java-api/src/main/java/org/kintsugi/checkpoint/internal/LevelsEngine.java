// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.kintsugi.checkpoint.engine.CheckpointException;
import org.kintsugi.checkpoint.engine.Engine;
import org.kintsugi.checkpoint.engine.Image;
import org.kintsugi.checkpoint.engine.Version;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.internal.events.JobEvents;
import org.kintsugi.runtime.internal.Schedule;

/**
 * Several engines as the levels of one: each save goes to one of them, by a schedule, and a restore takes the newest version
 * that any of them has. A level that cannot be read is passed over if others have a version.
 */
public final class LevelsEngine implements Engine {
  private final Schedule schedule;
  private final List<Engine> levels;
  private Engine current;
  private int rank;

  /** The versions that each level had when it was last searched, in the order of the levels. */
  private List<List<Version>> found = List.of();

  /** Levels that could not be read in this epoch: their versions are not known, and must not be touched. */
  private final BitSet passedOver = new BitSet();

  private boolean isHighestWanted;

  /** The error of the last of them; null if there are none. */
  private CheckpointException trouble;

  public LevelsEngine(Schedule schedule, List<Engine> levels) {
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
    found = List.of();
    isHighestWanted = false; // a process that is new in this epoch has not heard of it
    forgetPassedOver();
    rank = world.rank();
    for (Engine level : levels) {
      level.bind(world);
    }
  }

  @Override
  public void ofRun(long ordinal) {
    levels.forEach(level -> level.ofRun(ordinal));
  }

  @Override
  public String begin(Version version, Image image, boolean aside) {
    int level = isHighestWanted ? levels.size() - 1 : schedule.levelOf(image.save());
    int other = isHighestWanted ? passedOver.previousClearBit(level) : passedOver.nextClearBit(0);
    current = levels.get(passedOver.get(level) ? other : level);
    return current.begin(version, image, aside);
  }

  @Override
  public void end() {
    current.end();
  }

  @Override
  public void commit(Version version) {
    current.commit(version);
  }

  @Override
  public List<Version> versions(Predicate<Version> wanted) {
    TreeSet<Version> all = new TreeSet<>();
    forgetPassedOver();
    found = new ArrayList<>();
    for (int i = 0; i < levels.size(); i++) {
      List<Version> there = List.of();
      try {
        there = levels.get(i).versions(wanted);
      } catch (CheckpointException e) {
        // The same on all ranks.
        passedOver.set(i);
        trouble = e;
      }
      found.add(there);
      all.addAll(there);
    }
    if (trouble != null && all.isEmpty()) {
      throw trouble;
    }
    if (trouble != null && rank == 0) {
      System.err
          .println("kintsugi: a level is passed over, as others have versions, and saves go to those until it can be looked at: "
              + trouble.getMessage());
    }
    return List.copyOf(all);
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
  public Buf fetch(Version version) {
    for (int i = 0; i < found.size(); i++) {
      if (found.get(i).contains(version)) {
        JobEvents.now().takenFrom(levels.get(i).name());
        return levels.get(i).fetch(version);
      }
    }
    throw new IllegalArgumentException("version " + version.number() + " is on none of the levels " + name());
  }

  @Override
  public void resume(Version version) {
    if (version.isNone()) {
      forgetPassedOver(); // the program begins anew, and wants none of the versions
    }
    onEach(level -> level.resume(version));
  }

  /** Runs a step on each level: an error of one level on this rank must not keep it out of the next level's collectives. */
  private void onEach(Consumer<Engine> what) {
    CheckpointException first = null;
    for (int i = 0; i < levels.size(); i++) {
      try {
        if (!passedOver.get(i)) {
          what.accept(levels.get(i));
        }
      } catch (CheckpointException e) {
        first = first == null ? e : first;
      }
    }
    if (first != null) {
      throw first;
    }
  }

  @Override
  public void drop(long number) {
    onEach(level -> level.drop(number));
  }

  @Override
  public void saveOnHighestLevel() {
    isHighestWanted = true;
    levels.forEach(Engine::saveOnHighestLevel);
  }

  @Override
  public void close() {
    levels.forEach(Engine::close);
  }

  @Override
  public void rehearse() {
    levels.forEach(Engine::rehearse);
  }

  @Override
  public void leave() {
    levels.forEach(Engine::leave);
  }
}
