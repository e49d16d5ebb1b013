// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.apps;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kintsugi.ci.checkpoint.Installed;
import org.kintsugi.ci.mutants.AppProof;
import org.kintsugi.ci.mutants.AppProof.Verdict;
import org.kintsugi.ci.mutants.ChangedClasses;
import org.kintsugi.ci.mutants.ProvedApp;

/** The proxy applications save all that they need, with any engine. */
@Tag("flavours")
class AppProofTest {
  private static final int FAILURES = 2;

  private static void assertProved(ProvedApp app, String store) throws IOException, InterruptedException {
    try (ChangedClasses classes = ChangedClasses.none(Path.of(".."))) {
      Verdict verdict = new AppProof(app, FAILURES).settings("-Dkintsugi.checkpoint.store=" + store).run(classes);
      assertThat(verdict.isComplete()).as(verdict.output()).isTrue();
    }
  }

  @Test
  void atomsOfChangingNumbersWithFti() throws IOException, InterruptedException {
    Installed.orSkip("fti");
    assertProved(ProvedApp.COMD, "fti");
  }

  @Test
  void objectsAndAGrowingBasisInMemory() throws IOException, InterruptedException {
    assertProved(ProvedApp.AMG2, "memory");
  }

  @ParameterizedTest
  @Tag("series")
  @CsvSource({"HPCCG, xor", "AMG1, file", "MINIVITE, file", "MINIFE, memory", "LULESH, file"})
  void everyApplication(ProvedApp app, String store) throws IOException, InterruptedException {
    assertProved(app, store);
  }

  @Test
  @Tag("series")
  void aSolutionWithScr() throws IOException, InterruptedException {
    Installed.orSkip("scr");
    assertProved(ProvedApp.MINIFE, "scr");
  }
}
