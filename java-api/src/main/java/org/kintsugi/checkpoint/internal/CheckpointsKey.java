// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal;

import org.kintsugi.mpi.Comm;

/**
 * Operations on checkpoints for a Reinit run only: a key to package-private parts of {@code
 * Checkpoint}, which provides it when it is loaded. The key with its type is in {@code
 * org.kintsugi.checkpoint.access}, because this package cannot depend on {@code Checkpoint}.
 *
 * @param <C> {@code Checkpoint}
 */
public abstract class CheckpointsKey<C> {
  private static volatile CheckpointsKey<?> instance;

  /** Called by {@code Checkpoint} once. */
  public static void provide(CheckpointsKey<?> key) {
    instance = key;
  }

  /** The key that {@link #provide} was given; null before that. */
  public static CheckpointsKey<?> get() {
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
  public abstract C ofJob(String nodeName);

  /** The same in memory, whatever the job's engine is. */
  public abstract C inMemory(String nodeName);

  /**
   * Binds to the world of a new epoch; data protected in the old one are forgotten. Local.
   *
   * @param world the epoch's communicator; stays the caller's
   */
  public abstract void bind(C checkpoint, Comm world);

  /** Ends after a run that an exception has ended: versions in files stay. Local. */
  public abstract void leave(C checkpoint);
}
