// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.kintsugi.checkpoint.KeepsNothing;
import org.kintsugi.checkpoint.engine.Attempt;
import org.kintsugi.checkpoint.engine.CheckpointException;
import org.kintsugi.checkpoint.engine.Engine;
import org.kintsugi.checkpoint.engine.Version;
import org.kintsugi.mpi.Buf;
import org.kintsugi.runtime.internal.Schedule;

/** A level that cannot be looked at. */
class LevelsEngineTest {
  private static final Version VERSION = new Version(new Attempt(1, 2, 3), 5);

  /** Has one version, which is damaged, or cannot be looked at. */
  private static final class Level extends KeepsNothing {
    private final boolean isVisible;
    private boolean isStuck;
    private final List<String> done = new ArrayList<>();

    Level(boolean isVisible) {
      super("level");
      this.isVisible = isVisible;
    }

    @Override
    public List<Version> versions(Predicate<Version> wanted) {
      if (!isVisible) {
        throw new CheckpointException("the disk is away");
      }
      return List.of(VERSION);
    }

    @Override
    public Buf fetch(Version version) {
      throw new CheckpointException("damaged");
    }

    @Override
    public void resume(Version version) {
      done.add("resume");
      if (isStuck) {
        throw new CheckpointException("the disk is full");
      }
    }

    @Override
    public void drop(long number) {
      done.add("drop");
    }

    @Override
    public void close() {}
  }

  private final Level first = new Level(true);
  private final Level second = new Level(false);
  private final Engine levels = new LevelsEngine(Schedule.parse("test", "a,b:2"), List.of(first, second));

  @Test
  void isNotForgottenWhenNothingOfTheOthersCanBeRead() {
    assertThat(levels.versions(version -> true)).containsExactly(VERSION);
    assertThatThrownBy(() -> levels.fetch(VERSION)).hasMessageContaining("damaged");
    assertThatThrownBy(levels::refuseLoss).isInstanceOf(CheckpointException.class).hasMessageContaining("the disk is away");
  }

  /** Else its other ranks would wait in the next level for this one. */
  @Test
  void isNotInTheWayOfTheNextLevel() {
    first.isStuck = true;
    assertThatThrownBy(() -> levels.resume(VERSION)).hasMessageContaining("the disk is full");
    assertThat(second.done).containsExactly("resume");
  }

  @Test
  void isLeftAlone() {
    levels.versions(version -> true);
    levels.drop(VERSION.number());
    levels.resume(VERSION);
    assertThat(first.done).containsExactly("drop", "resume");
    assertThat(second.done).isEmpty();
  }

  @Test
  void isNoTroubleForAProgramThatBeginsAnew() {
    levels.versions(version -> true);
    levels.resume(Version.NONE);
    assertThat(second.done).containsExactly("resume");
    assertThatCode(levels::refuseLoss).doesNotThrowAnyException();
  }
}
