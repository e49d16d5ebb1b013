// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Names as they were seen under Open MPI 5.0.7 and the Reinit++ fork. */
class SegmentsTest {
  @Test
  void knowsTheNumberOfAJobByItsLauncher() {
    assertThat(Segments.family("prterun-n0-15984")).isEqualTo(0x0662);
    assertThat(Segments.family("prterun-n0-14510")).isEqualTo(0x3c22);
    assertThat(Segments.family("prterun-n0-15042")).isEqualTo(0x3d26);
  }

  @Test
  void knowsTheNumberOfAJobOfTheForkByItsHostAndProcess() {
    assertThat(Segments.forkFamily("n0", 29120)).isEqualTo(0x5a80);
  }

  /** On a host called n9.example.org, both. */
  @Test
  void aDomainIsNoPartOfAHostsName() {
    assertThat(Segments.forkFamily(HostName.shortOf("n9.example.org"), 23906)).isEqualTo(0xefe9);
    assertThat("prterun-" + HostName.shortOf("n9.example.org") + "-23891").isEqualTo("prterun-n9-23891");
  }
}
