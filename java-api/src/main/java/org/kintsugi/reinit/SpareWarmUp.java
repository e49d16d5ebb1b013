// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.checkpoint.internal.CheckpointAccess;

/**
 * What a spare does while it waits, as far as its processor is free: the code of a restore, then the program's own warm-up. It is
 * interrupted when the spare is needed.
 */
final class SpareWarmUp extends Thread {
  private final Checkpoint checkpoint;
  private final Runnable ofProgram;

  /** @param ofProgram {@link Reinit.Options#warmUp}; null: nothing */
  SpareWarmUp(Checkpoint checkpoint, Runnable ofProgram) {
    super("kintsugi-spare-warm-up");
    this.checkpoint = checkpoint;
    this.ofProgram = ofProgram;
    setDaemon(true);
    setPriority(MIN_PRIORITY);
  }

  @Override
  public void run() {
    CheckpointAccess.get().rehearse(checkpoint);
    if (ofProgram != null && !isInterrupted()) {
      ofProgram.run();
    }
  }
}
