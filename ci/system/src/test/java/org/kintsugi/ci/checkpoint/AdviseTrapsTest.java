// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
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
import org.kintsugi.ci.ranks.JmpirunProcess.Ended;
import org.kintsugi.ci.ranks.JmpirunProcess;
import org.kintsugi.test.RankJob;

/** Advice finds nothing missing in the small programs with traps, and names what their incomplete forms lack. */
class AdviseTrapsTest {
  private static final int LIMIT_SECONDS = 120;

  @TempDir
  private Path folder;

  /**
   * A program.
   *
   * @param named what the table has where not all is saved
   * @param code how jmpirun ends then
   */
  private record Trap(Class<?> program, String named, int code) {
    static Trap of(Class<?> program, String named) {
      return new Trap(program, named, 1);
    }

    @Override
    public String toString() {
      return program.getSimpleName();
    }
  }

  private static Stream<Trap> some() {
    return Stream.of(Trap.of(StaticField.class, "StaticField$Damping.factor, double"),
        Trap.of(OffHeapBuffer.class, "OffHeapBuffer.main: cells"), Trap.of(CyclicGraph.class, "first and cursor"));
  }

  /** Files are named whether the program cuts them after a restore or not. */
  private static Stream<Trap> others() {
    return Stream.of(Trap.of(SwappedArrays.class, "SwappedArrays.now, double[]"),
        new Trap(StateInAFile.class, "StateInAFile.main: file, java.io.RandomAccessFile", 0),
        Trap.of(CapturedLocal.class, "CapturedLocal.main: largest, double[]"),
        Trap.of(RandomGenerator.class, "RandomGenerator.main: random[], java.util.Random"),
        Trap.of(MapOrder.class, "MapOrder.map, java.util.HashMap$Values"),
        Trap.of(ThroughAGetter.class, "ThroughAGetter$Mean.count"), Trap.of(InAThreadLocal.class, "InAThreadLocal.RECENT"),
        Trap.of(LazyCache.class, "LazyCache.main: position"), Trap.of(ParallelCounter.class, "ParallelCounter.main: hits"));
  }

  private String advise(int code, Class<?> program, String form) throws IOException, InterruptedException {
    List<String> line = RankJob.jmpirun(RankJob.mpiOrSkip());
    line.addAll(List.of("-n", "2", "--timeout", "60", "--advise", "-Dkintsugi.checkpoint.store=memory", "-cp",
        System.getProperty("java.class.path"), program.getName(), folder.toString(), form));
    Ended ended = JmpirunProcess.run(line, LIMIT_SECONDS);
    assertThat(ended.code()).as(ended.printed()).isEqualTo(code);
    return ended.errors();
  }

  private void assertNamed(Trap trap) throws IOException, InterruptedException {
    assertThat(advise(0, trap.program, "complete")).contains("nothing is missing");
    assertThat(advise(trap.code, trap.program, "incomplete")).contains("  " + trap.named);
  }

  @ParameterizedTest
  @MethodSource("some")
  void aTrapIsNamed(Trap trap) throws IOException, InterruptedException {
    assertNamed(trap);
  }

  @ParameterizedTest
  @MethodSource("others")
  @Tag("series")
  void everyTrapIsNamed(Trap trap) throws IOException, InterruptedException {
    assertNamed(trap);
  }
}
