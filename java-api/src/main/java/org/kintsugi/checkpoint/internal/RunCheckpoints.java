// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal;

import java.lang.invoke.MethodHandles;
import org.kintsugi.mpi.Comm;

/**
 * What a Reinit run does with checkpoints and programs may not: the key to the package-private parts of {@code Checkpoint}, which
 * hands it over when it is loaded.
 *
 * @param <C> that class, which lies above this package
 */
public abstract class RunCheckpoints<C> {
  private static volatile RunCheckpoints<?> instance;

  /** Called by {@code Checkpoint} once. */
  public static void provide(RunCheckpoints<?> checkpoints) {
    instance = checkpoints;
  }

  /**
   * The key to a class.
   *
   * @param type {@code Checkpoint.class}: the only one that provides any
   */
  @SuppressWarnings("unchecked")
  public static <C> RunCheckpoints<C> of(Class<C> type) {
    if (instance == null) {
      try {
        MethodHandles.lookup().ensureInitialized(type);
      } catch (IllegalAccessException e) {
        throw new AssertionError(e); // it is a public class of the same module
      }
    }
    return (RunCheckpoints<C>) instance;
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
   * Binds to the world of a new epoch; what was protected in the old one is forgotten. Local.
   *
   * @param world the epoch's communicator; stays the caller's
   */
  public abstract void bind(C checkpoint, Comm world);

  /** The run has ended by an exception: what is stored in files stays. Local. */
  public abstract void leave(C checkpoint);
}
