// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job's memory is removed with the last process of the node. */
class MemoryCleanupTest {
  @TempDir
  private Path temporary;

  @Test
  void logsAndCopiesGoWithTheirOwner() throws IOException {
    Path folder = Files.createDirectory(temporary.resolve("job"));
    Path communicator = Files.createDirectory(folder.resolve("key.0@0"));
    List<String> names =
        List.of("rank-0.mem", "rank-0.mem.lock", "rank-2.copy-0.mem", "rank-2.copy-0.mem.new", "rank-3.part-0.mem",
            "rank-1.mem",
            "rank-3.copy-1.mem", "rank-4.copy-10.mem", "rank-5.mem.new");
    for (String name : names) {
      Files.createFile(communicator.resolve(name));
    }
    try (OwnerLock lives = OwnerLock.take(communicator.resolve("rank-1.mem"))) {
      assertThat(lives).isNotNull();
      MemoryCleanup.remove(folder);
      try (Stream<Path> left = Files.list(communicator)) {
        assertThat(left.map(path -> path.getFileName().toString())).containsExactlyInAnyOrder("rank-1.mem", "rank-1.mem.lock",
            "rank-3.copy-1.mem");
      }
    }
    MemoryCleanup.remove(folder);
    assertThat(folder).doesNotExist();
    MemoryCleanup.remove(folder);
  }
}
