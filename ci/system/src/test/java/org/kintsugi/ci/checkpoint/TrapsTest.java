// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.kintsugi.ci.checkpoint.traps.CapturedLocal;
import org.kintsugi.ci.checkpoint.traps.CyclicGraph;
import org.kintsugi.ci.checkpoint.traps.InAThreadLocal;
import org.kintsugi.ci.checkpoint.traps.LazyCache;
import org.kintsugi.ci.checkpoint.traps.MapOrder;
import org.kintsugi.ci.checkpoint.traps.OffHeapBuffer;
import org.kintsugi.ci.checkpoint.traps.ParallelCounter;
import org.kintsugi.ci.checkpoint.traps.RandomGenerator;
import org.kintsugi.ci.checkpoint.traps.StateInAFile;
import org.kintsugi.ci.checkpoint.traps.StaticField;
import org.kintsugi.ci.checkpoint.traps.SwappedArrays;
import org.kintsugi.ci.checkpoint.traps.ThroughAGetter;
import org.kintsugi.test.RankJob;

/** A proof passes for each of the small programs with traps. It catches the form of each that does not save all. */
@Tag("flavours")
@Tag("once")
class TrapsTest {
  private static final int FAILURES = 3;

  /**
   * A program.
   *
   * @param difference what a proof says first where not all is saved
   */
  private record Trap(Class<?> program, String difference) {
    static Trap of(Class<?> program, String first) {
      return new Trap(program, "differs first: \"" + first + "\" of rank");
    }

    @Override
    public String toString() {
      return program.getSimpleName();
    }
  }

  /** In another class, in a second array, outside of the process. */
  private static Stream<Trap> some() {
    return Stream.of(Trap.of(StaticField.class, "x"), Trap.of(SwappedArrays.class, "now"), Trap.of(StateInAFile.class, "sum"));
  }

  private static Stream<Trap> others() {
    return Stream.of(new Trap(CapturedLocal.class, "a line is missing: sum of the largest"),
        Trap.of(RandomGenerator.class, "walked"),
        Trap.of(CyclicGraph.class, "cursor"), Trap.of(MapOrder.class, "data.map"), Trap.of(ThroughAGetter.class, "sum"),
        Trap.of(OffHeapBuffer.class, "cells"), Trap.of(InAThreadLocal.class, "sum"), Trap.of(LazyCache.class, "sum"),
        Trap.of(ParallelCounter.class, "chosen"));
  }

  private static RankJob.Outcome proof(Class<?> program, String... arguments) {
    return RankJob.of(2, 1).prove(FAILURES, program, arguments);
  }

  private static void assertJudged(Trap trap) {
    assertThat(proof(trap.program, "complete").assertSuccess().output()).contains(FAILURES + " failures outlived");
    RankJob.Outcome incomplete = proof(trap.program, "incomplete");
    assertThat(incomplete.exitCode()).as(incomplete.output()).isEqualTo(1);
    assertThatThrownBy(incomplete::assertSuccess).isInstanceOf(AssertionError.class).hasMessageContaining(trap.difference);
  }

  @ParameterizedTest
  @MethodSource("some")
  void aTrapIsSeen(Trap trap) {
    assertJudged(trap);
  }

  @ParameterizedTest
  @MethodSource("others")
  @Tag("series")
  void everyTrapIsSeen(Trap trap) {
    assertJudged(trap);
  }

  @Test
  @Tag("series")
  void aCacheMayBeSavedToo() {
    assertThat(proof(LazyCache.class, "cached", "complete").assertSuccess().output()).contains("3 items (known, position, sum)");
  }
}
