// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint;

import org.kintsugi.checkpoint.internal.CheckpointAccess;
import org.kintsugi.checkpoint.internal.RunOrdinal;
import org.kintsugi.checkpoint.internal.memory.MemoryEngine;
import org.kintsugi.mpi.Comm;
import org.kintsugi.runtime.internal.InRecovery;

/** See {@link CheckpointAccess}. */
final class CheckpointInternals implements CheckpointAccess {
  @Override
  public Checkpoint ofJob(String nodeName) {
    return new Checkpoint(Engines.engineOfJob(nodeName, false), null, RunOrdinal.next());
  }

  @Override
  public Checkpoint inMemory(String nodeName) {
    return new Checkpoint(new MemoryEngine(nodeName, CheckpointConfig.STORE), null, RunOrdinal.NONE);
  }

  @Override
  @InRecovery
  public void bind(Checkpoint checkpoint, Comm world) {
    checkpoint.bind(world);
  }

  @Override
  public void rehearse(Checkpoint checkpoint) {
    checkpoint.rehearse();
  }

  @Override
  public void saveOnHighestLevel(Checkpoint checkpoint) {
    checkpoint.saveOnHighestLevel();
  }

  @Override
  public void leave(Checkpoint checkpoint) {
    checkpoint.leave();
  }
}
