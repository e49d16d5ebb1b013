// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.test.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.kintsugi.test.TemporaryFolder;

/** Clusters whose nodes run commands, not jobs; jobs on clusters are in the tests of module ci. */
class ClusterTest {
  private static Cluster clusterOrSkip(int... slots) {
    try {
      return Cluster.of(slots);
    } catch (Cluster.UnavailableException e) {
      return Assumptions.abort(e.getMessage());
    }
  }

  @Test
  void slotsThatMakeNoClusterAreNamed() {
    assertThatThrownBy(() -> Cluster.of()).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("slots []");
    assertThatThrownBy(() -> Cluster.of(0, 0)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("[0, 0]");
    assertThatThrownBy(() -> Cluster.of(2, -1)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("[2, -1]");
  }

  @Test
  void commandsRunOnTheFirstNodeAndNothingIsLeft() throws IOException, InterruptedException {
    Path made;
    try (TemporaryFolder folder = TemporaryFolder.create("kintsugi-test-"); Cluster cluster = clusterOrSkip(0, 2)) {
      made = cluster.agent().getParent();
      Path output = folder.path().resolve("output");
      int code = cluster.start(60, output, List.of("hostname")).waitFor();
      assertThat(Files.readString(output)).isEqualTo("n0\n");
      assertThat(code).isZero();
      assertThat(cluster.start(1, output, List.of("sleep", "30")).waitFor()).isEqualTo(Cluster.TIMED_OUT);
      assertThat(cluster.left(0, 30_000)).isEmpty();
      assertThat(Files.readString(cluster.hostFile())).isEqualTo("n1 slots=2\n");
      assertThatThrownBy(() -> cluster.crash(2)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("node 2:");
    }
    assertThat(made).doesNotExist();
  }
}
