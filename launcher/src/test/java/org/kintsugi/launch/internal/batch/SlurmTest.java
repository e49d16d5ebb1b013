// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is asked of a real Slurm is in the test of whole jobs. */
class SlurmTest {
  @Test
  void srunKeepsItsStepUnlessTheUserForbidsIt() {
    assertThat(Slurm.environment(Map.of())).containsEntry("SLURM_NO_KILL", "set").containsEntry("SLURM_OVERLAP", "1");
    assertThat(Slurm.environment(Map.of("SLURM_NO_KILL", "1"))).as("srun refuses that").containsEntry("SLURM_NO_KILL", "set");
    assertThat(Slurm.environment(Map.of("SLURM_NO_KILL", "off"))).doesNotContainKey("SLURM_NO_KILL");
  }

  @Test
  void aJobScriptSaysWhetherTheJobOutlivesANode() {
    for (String has : new String[] {"#SBATCH --no-kill", "#SBATCH -N 4 --no-kill -n 8", "#SBATCH -k",
        "#SBATCH --no-kill # why"}) {
      assertThat(Slurm.saysNoKill("#!/bin/bash\n" + has + "\njmpirun\n")).as(has).isTrue();
    }
    for (String lacks : new String[] {"#SBATCH -N 4", "# --no-kill", "srun --no-kill", "#SBATCH --no-kill=off", "#SBATCH --kx",
        "hostname\n#SBATCH --no-kill"}) {
      assertThat(Slurm.saysNoKill("#!/bin/bash\n" + lacks + "\njmpirun\n")).as(lacks).isFalse();
    }
  }
}
