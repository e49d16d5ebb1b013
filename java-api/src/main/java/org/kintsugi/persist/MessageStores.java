// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import java.util.ServiceLoader;

/**
 * Chooses a communicator's store: {@link PersistSettings#STORE}. Searches for providers only for names that are not this
 * package's own: ranks must not pay for that search at their start.
 */
final class MessageStores {
  private MessageStores() {}

  static MessageStore of(PersistSettings settings) {
    String name = settings.value(PersistSettings.STORE);
    switch (name) {
      case "memory":
        return new MemoryMessageStore();
      case "file":
        return new FileMessageStore();
      case "jdbc":
        return new JdbcMessageStore();
      default:
        return provided(name);
    }
  }

  private static MessageStore provided(String name) {
    StringBuilder names = new StringBuilder("memory, file, jdbc");
    for (MessageStoreProvider provider : ServiceLoader.load(MessageStoreProvider.class)) {
      if (provider.name().equals(name)) {
        return provider.make();
      }
      names.append(", ").append(provider.name());
    }
    try {
      return (MessageStore) Class.forName(name).getConstructor().newInstance();
    } catch (ReflectiveOperationException | ClassCastException e) {
      throw new IllegalArgumentException(
          "info " + PersistSettings.STORE + "=" + name + ": expected " + names + ", or the name of "
              + "a public class that implements " + MessageStore.class.getName()
              + " and has a public constructor without parameters",
          e);
    }
  }
}
