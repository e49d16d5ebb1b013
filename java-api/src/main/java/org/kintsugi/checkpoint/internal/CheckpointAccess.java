// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal;

import java.lang.invoke.MethodHandles;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.mpi.Comm;

/** Operations on checkpoints for a Reinit run only. {@link Checkpoint} provides them when it is initialised. */
public interface CheckpointAccess {
  /** The same for all callers; initialises {@link Checkpoint}. */
  static CheckpointAccess get() {
    if (Provided.access == null) {
      try {
        MethodHandles.lookup().ensureInitialized(Checkpoint.class);
      } catch (IllegalAccessException e) {
        throw new AssertionError(e); // it is a public class of the same module
      }
    }
    return Provided.access;
  }

  /**
   * A checkpoint with the job's engine.
   *
   * @param nodeName the node of this process: copies are kept on others
   * @return to be bound before it is used, and closed by the caller
   * @throws IllegalArgumentException if a setting is wrong
   * @throws UnsupportedOperationException if an engine's library is not installed
   */
  Checkpoint ofJob(String nodeName);

  /** The same in memory, whatever the job's engine is. */
  Checkpoint inMemory(String nodeName);

  /**
   * Binds to the world of a new epoch; data protected in the old one are forgotten. Local.
   *
   * @param world the epoch's communicator; stays the caller's
   */
  void bind(Checkpoint checkpoint, Comm world);

  /** Runs the code of a restore once, while this process waits to be needed. Local, in any thread. */
  void rehearse(Checkpoint checkpoint);

  /** From now on saves go to the highest level: the end of the job is announced. Local, on all ranks alike. */
  void saveOnHighestLevel(Checkpoint checkpoint);

  /** Ends after a run that an exception has ended: versions in files stay. Local. */
  void leave(Checkpoint checkpoint);

  /** Holds the object. */
  final class Provided {
    private static volatile CheckpointAccess access;

    private Provided() {}

    /** Called by {@link Checkpoint} once. */
    public static void provide(CheckpointAccess provided) {
      access = provided;
    }
  }
}
