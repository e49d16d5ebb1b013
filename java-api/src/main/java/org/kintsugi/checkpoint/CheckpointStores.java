// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint;

import java.nio.file.Path;
import org.kintsugi.mpi.MpiConfig;

/** Which store a job uses: {@link MpiConfig#CHECKPOINT_STORE}. */
public final class CheckpointStores {
  private CheckpointStores() {}

  /** A checkpoint with the job's store, for a process on the node of that name; to be bound before it is used. */
  public static Checkpoint ofJob(String nodeName) {
    String name = MpiConfig.CHECKPOINT_STORE.value();
    switch (name) {
      case "memory":
        return inMemory(nodeName);
      case "file":
        return new Checkpoint(new FileStore(Path.of(MpiConfig.CHECKPOINT_DIR.value())));
      default:
        throw new IllegalArgumentException(
            "-D" + MpiConfig.CHECKPOINT_STORE.property() + "=" + name + ": expected memory or file");
    }
  }

  /** A checkpoint in memory whatever the job's store is, for a process on the node of that name; to be bound before use. */
  public static Checkpoint inMemory(String nodeName) {
    return new Checkpoint(new MemoryStore(nodeName));
  }
}
