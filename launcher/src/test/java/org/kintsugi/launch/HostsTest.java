// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the command line tells about hosts. */
class HostsTest {
  private static final int CORES = 4;

  private static Hosts of(String... options) {
    return Hosts.of(List.of(options), Map.of());
  }

  @Test
  void withoutOptionsItIsThisHost() {
    Hosts hosts = of("--mca", "coll", "basic");
    assertThat(hosts.areOthersToo()).isFalse();
    assertThat(hosts.slots(CORES)).isEqualTo(CORES);
    assertThat(hosts.mostOnOne(6, CORES)).isEqualTo(6);
    assertThat(of("--host", "localhost:8").areOthersToo()).isFalse();
  }

  @Test
  void aListSaysSlots() {
    assertThat(of("--host", "a,b:3,a,c:*").slots()).isEqualTo(Map.of("a", 2, "b", 3, "c", 0));
    Hosts hosts = of("--host=a,b");
    assertThat(hosts.areOthersToo()).isTrue();
    assertThat(hosts.slots(CORES)).isEqualTo(2);
    assertThat(hosts.mostOnOne(1, CORES)).isEqualTo(1);
    assertThat(hosts.mostOnOne(5, CORES)).isEqualTo(3);
  }

  @Test
  void aFileSaysSlots(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("hosts"), "# a comment\nme@a slots=2\nb slots = 1 # more\n\nc\nd\nd\n");
    Hosts hosts = of("--hostfile", file.toString());
    assertThat(hosts.slots()).isEqualTo(Map.of("a", 2, "b", 1, "c", 0, "d", 2));
    assertThat(hosts.slots(CORES)).isEqualTo(9);
    assertThatThrownBy(() -> of("--hostfile", folder.resolve("none").toString())).hasMessageContaining("host file");
  }

  @Test
  void whatOnlyMpirunKnowsIsLeftToIt(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("hosts"), "a slots=2 max-slots=4\n");
    for (Hosts hosts : List.of(of("--host", "+n0"), of("--hostfile", file.toString()),
        of("--host", "a", "--hostfile", file.toString()), Hosts.of(List.of(), Map.of("SLURM_JOB_ID", "7")))) {
      assertThat(hosts.isKnown()).isFalse();
      assertThat(hosts.areOthersToo()).isTrue();
    }
  }
}
