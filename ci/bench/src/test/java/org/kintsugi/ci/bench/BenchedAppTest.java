// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The times in the originals' output, shortened. */
class BenchedAppTest {
  private static void assertSeconds(BenchedApp app, double seconds, String... printed) throws IOException {
    assertThat(app.secondsPerIteration(String.join("\n", printed))).isCloseTo(seconds, within(1e-9));
  }

  @Test
  void theTimeOfAnIterationIsReadFromWhatIsPrinted() throws IOException {
    assertSeconds(BenchedApp.HPCCG, 0.01, "Number of iterations: : 149", "Time Summary: ", "  Total   : 1.49",
        "  DDOT  : 0.1");
    assertSeconds(BenchedApp.LULESH, 0.027, "Elapsed time         =       1.62 (s)",
        "Grind time (us/z/c)  =          1 (per dom)  (      1.62 overall)");
    assertSeconds(BenchedApp.COMD, 0.02, "total                      1       1.2000        1.2000      102.00",
        "timestep                   5       0.2000        1.0000       99.00", "timestep              0:    3.0000");
    assertSeconds(BenchedApp.AMG, 0.05, "Problem 2: Cumulative AMG-GMRES Solve Time:", "=====", "GMRES Solve:",
        "  wall clock time = 1.000000 seconds", "",
        "GMRES Iterations = 5", "No. of Time Steps = 6", "Cum. No. of Iterations = 20", "Final Relative Residual Norm = 1e-9");
    assertSeconds(BenchedApp.MINIFE, 0.0125, "    Total CG Time: 2.5", "  Time per iteration: 0.0125");
    assertSeconds(BenchedApp.MINIVITE, 0.25, "Modularity: 0.6, Iterations: 8, Time (in s): 2");
    assertSeconds(BenchedApp.MINIVITE, 0.25, "Average total time (in s), #Processes: 2, 4", "Modularity, #Iterations: 0.6, 8");
  }

  @Test
  void anotherProgramIsNoOriginal() {
    assertThatThrownBy(() -> BenchedApp.LULESH.secondsPerIteration("hello")).isInstanceOf(IOException.class)
        .hasMessageContaining("lulesh").hasMessageContaining("hello");
  }
}
