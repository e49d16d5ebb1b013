// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AllocationTest {
  private static Map<String, String> slurm(String nodes, String tasks) {
    return Map.of("SLURM_JOB_ID", "7", "SLURM_JOB_NODELIST", nodes, "SLURM_TASKS_PER_NODE", tasks);
  }

  private static Map<String, Integer> slots(Object... pairs) {
    Map<String, Integer> slots = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      slots.put((String) pairs[i], (Integer) pairs[i + 1]);
    }
    return slots;
  }

  @Test
  void slurmNamesNodesAndTasksInShort() {
    Allocation allocation = Allocation.of(slurm("n[1-2],gpu[08-10]-ib,login", "2(x2),1,4(x3)"));
    assertThat(allocation.system()).isEqualTo(BatchSystem.SLURM);
    assertThat(allocation.slots())
        .containsExactlyEntriesOf(slots("n1", 2, "n2", 2, "gpu08-ib", 1, "gpu09-ib", 4, "gpu10-ib", 4, "login", 4));
    assertThat(allocation.tasks()).isEqualTo(17);
    assertThat(Allocation.of(slurm("r[1-2]n[3,5]", "1(x4)")).slots()).containsOnlyKeys("r1n3", "r1n5", "r2n3", "r2n5");
    assertThat(Allocation.of(slurm("n1", "3")).slots()).containsExactlyEntriesOf(slots("n1", 3));
  }

  @Test
  void whatCannotBeReadIsLeftToMpirun() {
    for (String nodes : new String[] {"", "n[1-", "n1]", "n[a-b]", "n[1-99999999]"}) {
      assertThat(Allocation.of(slurm(nodes, "1(x2)"))).as(nodes).isNull();
    }
    for (String tasks : new String[] {"", "1", "1(x9", "many"}) {
      assertThat(Allocation.of(slurm("n[1-2]", tasks))).as(tasks).isNull();
    }
    assertThat(Allocation.of(Map.of("SLURM_JOB_ID", "7"))).isNull();
    assertThat(Allocation.of(Map.of())).isNull();
  }

  @Test
  void othersNameTheirHostsInFiles(@TempDir Path folder) throws IOException {
    String lines = Files.writeString(folder.resolve("lines"), "a\na\nb\n\na\n").toString();
    String fields = Files.writeString(folder.resolve("fields"), "a 3 all.q@a UNDEFINED\nb 1 all.q@b UNDEFINED\n").toString();
    for (Map<String, String> environment : List.of(Map.of("PBS_JOBID", "1", "PBS_NODEFILE", lines),
        Map.of("LSB_JOBID", "1", "LSB_DJOB_HOSTFILE", lines), Map.of("PE_HOSTFILE", fields))) {
      assertThat(Allocation.of(environment).slots()).containsExactlyEntriesOf(slots("a", 3, "b", 1));
    }
    assertThat(Allocation.hostFile(Map.of("PBS_JOBID", "1", "PBS_NODEFILE", lines))).isEqualTo(lines);
    assertThat(Allocation.hostFile(Map.of("PE_HOSTFILE", fields))).as("not of a form that mpirun reads").isNull();
    assertThat(Allocation.of(Map.of("PBS_JOBID", "1", "PBS_NODEFILE", folder + "/missing"))).isNull();
  }

  @Test
  void lostHostsAreLeftOut() {
    Allocation left = Allocation.of(slurm("n[1-3]", "2(x3)")).without(Set.of("n2"));
    assertThat(left.tasks()).isEqualTo(4);
    assertThat(left.asHostOption()).isEqualTo("n1:2,n3:2");
  }
}
