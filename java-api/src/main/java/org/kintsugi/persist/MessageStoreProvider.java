// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

/**
 * Provides a kind of message store. It is registered for {@link java.util.ServiceLoader} (in a file {@code
 * META-INF/services/org.kintsugi.persist.MessageStoreProvider}) and searched for when a job's configuration has its name.
 */
public interface MessageStoreProvider {
  /**
   * Its name in {@link PersistSettings#STORE}.
   *
   * @return one word, other than the names of this project's own stores
   */
  String name();

  /**
   * A store for one communicator.
   *
   * @return a store that has not been opened; a new one at each call
   */
  MessageStore make();
}
