// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.engine;

/**
 * Provides a kind of engine. It is registered for {@link java.util.ServiceLoader} (in a file {@code
 * META-INF/services/org.kintsugi.checkpoint.engine.EngineProvider}) and searched for when a job's configuration has its name.
 */
public interface EngineProvider {
  /**
   * The name of its level in {@link org.kintsugi.checkpoint.CheckpointConfig#STORE}.
   *
   * @return one word
   */
  String name();

  /**
   * The engine with the job's settings.
   *
   * @param nodeName the node of this process
   * @return the caller's, to be closed
   * @throws UnsupportedOperationException if its library is not installed; the message says where it was looked for
   * @throws IllegalArgumentException if a setting is wrong
   */
  Engine make(String nodeName);

  /**
   * Why it cannot be one level among others.
   *
   * @return for the message to the user; null: it can
   */
  default String whyAlone() {
    return null;
  }

  /**
   * Whether it works in a Reinit run only, and not with {@link org.kintsugi.checkpoint.Checkpoint#on}.
   *
   * @return false unless its own code has to be left when a process has died
   */
  default boolean isForRunsOnly() {
    return false;
  }
}
