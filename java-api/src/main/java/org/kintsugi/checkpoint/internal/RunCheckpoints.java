// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal;

import java.lang.invoke.MethodHandles;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.mpi.Comm;

/**
 * What a Reinit run does with checkpoints and programs may not: the key to the package-private parts of {@link Checkpoint}, which
 * hands it over when it is loaded.
 */
public abstract class RunCheckpoints {
  private static volatile RunCheckpoints instance;

  /** Called by {@link Checkpoint} once. */
  public static void provide(RunCheckpoints checkpoints) {
    instance = checkpoints;
  }

  public static RunCheckpoints get() {
    if (instance == null) {
      try {
        MethodHandles.lookup().ensureInitialized(Checkpoint.class);
      } catch (IllegalAccessException e) {
        throw new AssertionError(e); // it is a public class of the same module
      }
    }
    return instance;
  }

  /**
   * A checkpoint with the job's engine.
   *
   * @param nodeName the node of this process: copies are kept on others
   * @return to be bound before it is used, and closed by the caller
   * @throws IllegalArgumentException if a setting is wrong
   * @throws UnsupportedOperationException if an engine's library is not installed
   */
  public abstract Checkpoint ofJob(String nodeName);

  /** The same in memory, whatever the job's engine is. */
  public abstract Checkpoint inMemory(String nodeName);

  /**
   * Binds to the world of a new epoch; what was protected in the old one is forgotten. Local.
   *
   * @param world the epoch's communicator; stays the caller's
   */
  public abstract void bind(Checkpoint checkpoint, Comm world);

  /** The run has ended by an exception: what is stored in files stays. Local. */
  public abstract void leave(Checkpoint checkpoint);
}
