// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.access;

import java.lang.invoke.MethodHandles;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.checkpoint.internal.CheckpointsKey;

/** The key to what checkpoints have for a Reinit run only. */
public final class Checkpoints {
  private Checkpoints() {}

  /** The same for all callers; initialises {@link Checkpoint}, which provides it. */
  @SuppressWarnings("unchecked") // Checkpoint provides one, of this type
  public static CheckpointsKey<Checkpoint> get() {
    if (CheckpointsKey.get() == null) {
      try {
        MethodHandles.lookup().ensureInitialized(Checkpoint.class);
      } catch (IllegalAccessException e) {
        throw new AssertionError(e); // it is a public class of the same module
      }
    }
    return (CheckpointsKey<Checkpoint>) CheckpointsKey.get();
  }
}
