// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.checkpoint.CheckpointStores;
import org.kintsugi.ci.ranks.RanksTest;
import org.kintsugi.mpi.Mpi;

/** The checkpoint store in memory, with nobody dead. */
@Tag("flavours")
class MemoryCheckpointTest {
  @RanksTest(n = {1, 3})
  void aVersionThatIsSavedAgainIsReplaced(Mpi mpi) {
    Checkpoint checkpoint = CheckpointStores.inMemory(mpi.processorName());
    checkpoint.bind(mpi.world());
    double[] data = new double[10];
    checkpoint.protect("data", data);
    for (int content = 1; content <= 5; content++) {
      data[3] = content;
      checkpoint.save(7);
    }
    data[3] = 0;
    assertThat(checkpoint.restore()).hasValue(7);
    assertThat(data[3]).isEqualTo(5);
  }
}
