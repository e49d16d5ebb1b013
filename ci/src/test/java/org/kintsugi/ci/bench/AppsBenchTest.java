// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The times in the originals' output, shortened. */
class AppsBenchTest {
  private static void assertSeconds(AppsBench.App app, double seconds, String... printed) throws IOException {
    assertThat(app.secondsPerIteration(String.join("\n", printed))).isCloseTo(seconds, within(1e-9));
  }

  @Test
  void theTimeOfAnIterationIsReadFromWhatIsPrinted() throws IOException {
    assertSeconds(AppsBench.App.HPCCG, 0.01, "Number of iterations: : 149", "Time Summary: ", "  Total   : 1.49",
        "  DDOT  : 0.1");
    assertSeconds(AppsBench.App.LULESH, 0.027, "Elapsed time         =       1.62 (s)",
        "Grind time (us/z/c)  =          1 (per dom)  (      1.62 overall)");
    assertSeconds(AppsBench.App.COMD, 0.02, "total                      1       1.2000        1.2000      102.00",
        "timestep                   5       0.2000        1.0000       99.00", "timestep              0:    3.0000");
    assertSeconds(AppsBench.App.AMG, 0.05, "Problem 1: AMG-PCG Solve Time:", "=====", "PCG Solve:",
        "  wall clock time = 1.000000 seconds", "",
        "Iterations = 20", "Final Relative Residual Norm = 1e-9");
    assertSeconds(AppsBench.App.MINIFE, 0.0125, "    Total CG Time: 2.5", "  Time per iteration: 0.0125");
    assertSeconds(AppsBench.App.MINIVITE, 0.25, "Modularity: 0.6, Iterations: 8, Time (in s): 2");
    assertSeconds(AppsBench.App.MINIVITE, 0.25, "Average total time (in s), #Processes: 2, 4", "Modularity, #Iterations: 0.6, 8");
  }

  @Test
  void anotherProgramIsNoOriginal() {
    assertThatThrownBy(() -> AppsBench.App.LULESH.secondsPerIteration("hello")).isInstanceOf(IOException.class)
        .hasMessageContaining("lulesh").hasMessageContaining("hello");
  }
}
