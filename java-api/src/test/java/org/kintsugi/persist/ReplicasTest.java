// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.persist.Entry.Kind;

/** The parts sent to another node make a copy that is like its original. */
class ReplicasTest {
  private static final int MEMORY = 1 << 16;
  private static final int BYTES = 30_000;

  @TempDir
  private Path folder;

  @Test
  void theMostMemoryThatIsAcceptedCanBeHad() throws IOException {
    long most = 680L << 20;
    PersistSettings settings = PersistSettings.of(Map.of(PersistSettings.MEMORY, String.valueOf(most)));
    assertThat(settings.memoryBytes()).isEqualTo(most);
    try (MappedLog own = MappedLog.own(folder.resolve("own"), "own", most)) {
      assertThat(own.entries(0)).isEmpty();
    }
    assertThatThrownBy(() -> PersistSettings.of(Map.of(PersistSettings.MEMORY, String.valueOf(most + 1))))
        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("713031680 bytes (680 MiB)");
  }

  @Test
  void everybodysCopyIsOnAnotherNodeIfThereIsOne() {
    for (long[] nodes : new long[][] {{1, 2}, {1, 1, 1, 2}, {5, 7, 7, 7, 7, 7}, {1, 1, 2, 2}, {3, 1, 2, 3, 3, 3, 3}}) {
      int[] holders = Replicas.holders(nodes);
      for (int rank = 0; rank < nodes.length; rank++) {
        assertThat(nodes[holders[rank]]).as("rank %d", rank).isNotEqualTo(nodes[rank]);
      }
    }
    assertThat(Replicas.holders(new long[] {1, 1, 1, 2})).containsExactly(3, 3, 3, 2);
  }

  @Test
  void aCopyNeedsNoMoreRoomThanItsOriginal() throws IOException {
    try (MappedLog own = MappedLog.own(folder.resolve("own"), "own", MEMORY);
        MappedLog copy = MappedLog.own(folder.resolve("copy"), "copy", MEMORY)) {
      List<Long> dropped = List.of();
      for (long number = 1; number <= 10; number++) {
        own.append(new Entry(number, Kind.MESSAGE, 0, 1, number, BYTES), ByteBuffer.allocateDirect(BYTES));
        Replicas.store(Replicas.records(own, own.entries(number - 1), dropped, Long.MAX_VALUE), copy);
        assertThat(copy.entries(0)).isEqualTo(own.entries(0));
        // The barrier is over: the message before the newest is not needed any more.
        own.drop(number - 1);
        dropped = List.of(number - 1);
      }
    }
  }
}
