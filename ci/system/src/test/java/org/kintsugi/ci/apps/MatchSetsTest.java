// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.apps;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.kintsugi.ci.mutants.AppProof;
import org.kintsugi.ci.mutants.AppAdvice;
import org.kintsugi.ci.mutants.AppProof.Verdict;
import org.kintsugi.ci.mutants.ChangedClasses;
import org.kintsugi.ci.mutants.ProvedApp;

/** A proof catches the incomplete sets that the benchmark suite MATCH has for four applications. Advice names what they lack. */
@Tag("flavours")
@Tag("once")
class MatchSetsTest {
  private static final int FAILURES = 3;
  private static final Path CHECKOUT = Path.of("..");
  private static final Path MINIFE_WORK =
      Path.of("examples/proxy-apps/src/main/java/org/kintsugi/examples/minife/MiniFeWork.java");

  private static Verdict proof(ProvedApp app, ChangedClasses classes, String... leftOut)
      throws IOException, InterruptedException {
    return new AppProof(app, FAILURES).run(classes, leftOut);
  }

  private static void assertCaught(ProvedApp app, String leftOut, String difference) throws IOException, InterruptedException {
    try (ChangedClasses classes = ChangedClasses.thatLeaveOut(CHECKOUT)) {
      Verdict verdict = proof(app, classes, leftOut);
      assertThat(verdict.isCaught()).as(verdict.output()).isTrue();
      assertThat(verdict.output()).contains(difference);
    }
  }

  /** Advice names these locations, and no other. */
  private static void assertNamed(ProvedApp app, String leftOut, String... locations) throws IOException, InterruptedException {
    try (ChangedClasses classes = ChangedClasses.none(CHECKOUT)) {
      AppAdvice.Verdict verdict = new AppAdvice(app).without(classes, leftOut);
      assertThat(verdict.missing()).as(verdict.printed()).containsExactlyInAnyOrder(locations);
    }
  }

  @Test
  @Tag("series")
  void whatFourSetsLackIsNamed() throws IOException, InterruptedException {
    assertNamed(ProvedApp.HPCCG, "x", "ConjugateGradient.x");
    assertNamed(ProvedApp.AMG2, "basis", "Gmres.basis[]");
    assertNamed(ProvedApp.MINIVITE, "modularity", "Louvain.modularity");
    assertNamed(ProvedApp.MINIFE, "breakdown", "ConjugateGradient.breakdown");
  }

  @Test
  void hpccgWithoutItsSolution() throws IOException, InterruptedException {
    assertCaught(ProvedApp.HPCCG, "x", "a line is missing: ");
  }

  @Test
  @Tag("series")
  void amgWithoutTheBasis() throws IOException, InterruptedException {
    assertCaught(ProvedApp.AMG2, "basis", "differs first: ");
  }

  @Test
  @Tag("series")
  void miniViteWithoutTheModularity() throws IOException, InterruptedException {
    assertCaught(ProvedApp.MINIVITE, "modularity", "differs first: ");
  }

  /** The number of the iteration is that of the version, so that only a changed program can begin with 1 again. */
  @Test
  @Tag("series")
  void miniFeWithoutTheIteration() throws IOException, InterruptedException {
    Map<String, String> beginsAgain =
        Map.of("  private int made;\n", "  private int made;\n  private int again;\n", "solver.iterate(k);",
            "solver.iterate(++again);");
    try (ChangedClasses classes = ChangedClasses.thatLeaveOut(CHECKOUT).with(MINIFE_WORK, beginsAgain)) {
      Verdict verdict = proof(ProvedApp.MINIFE, classes, "breakdown");
      assertThat(verdict.isCaught()).as(verdict.output()).isTrue();
      assertThat(verdict.output()).contains("differs first: ");
    }
  }
}
