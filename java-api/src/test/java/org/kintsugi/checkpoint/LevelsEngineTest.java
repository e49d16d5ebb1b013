// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;

/** A level that cannot be looked at. */
class LevelsEngineTest {
  private static final long VERSION = 5;

  /** Has one version, which is damaged, or cannot be looked at. */
  private static final class Level implements Engine {
    private final boolean isVisible;
    private final List<String> done = new ArrayList<>();

    Level(boolean isVisible) {
      this.isVisible = isVisible;
    }

    @Override
    public String name() {
      return "level";
    }

    @Override
    public void bind(Comm world) {}

    @Override
    public String begin(long version, Image image, boolean aside) {
      return name();
    }

    @Override
    public void end() {}

    @Override
    public void commit(long version) {}

    @Override
    public long[] versions() {
      if (!isVisible) {
        throw new CheckpointException("the disk is away");
      }
      return new long[] {VERSION};
    }

    @Override
    public Buf fetch(long version) {
      throw new CheckpointException("damaged");
    }

    @Override
    public void resume(long version) {
      done.add("resume");
    }

    @Override
    public void drop(long version) {
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
    assertThat(levels.versions()).containsExactly(VERSION);
    assertThatThrownBy(() -> levels.fetch(VERSION)).hasMessageContaining("damaged");
    assertThatThrownBy(levels::refuseLoss).isInstanceOf(CheckpointException.class).hasMessageContaining("the disk is away");
  }

  @Test
  void isLeftAlone() {
    levels.versions();
    levels.drop(VERSION);
    levels.resume(VERSION);
    assertThat(first.done).containsExactly("drop", "resume");
    assertThat(second.done).isEmpty();
  }

  @Test
  void isNoTroubleForAProgramThatBeginsAnew() {
    levels.versions();
    levels.resume(Engine.NONE);
    assertThat(second.done).containsExactly("resume");
    assertThatCode(levels::refuseLoss).doesNotThrowAnyException();
  }
}
