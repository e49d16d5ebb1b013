// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.batch;

import java.util.List;
import java.util.Map;

/** The batch systems that name the hosts of a job in its environment. */
public enum BatchSystem {
  SLURM("Slurm", "SLURM_JOB_ID", "SLURM_JOBID"), PBS("PBS", "PBS_JOBID"), LSF("LSF", "LSB_JOBID"),
  GRID_ENGINE("Grid Engine", "PE_HOSTFILE");

  private final String label;
  private final List<String> marks;

  BatchSystem(String label, String... marks) {
    this.label = label;
    this.marks = List.of(marks);
  }

  /**
   * The batch system that has started this process.
   *
   * @return null if none has
   */
  public static BatchSystem of(Map<String, String> environment) {
    for (BatchSystem one : values()) {
      if (one.marks.stream().anyMatch(environment::containsKey)) {
        return one;
      }
    }
    return null;
  }

  @Override
  public String toString() {
    return label;
  }
}
