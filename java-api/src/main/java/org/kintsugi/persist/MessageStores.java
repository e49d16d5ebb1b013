// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import java.util.ServiceLoader;

/**
 * Which store a communicator uses: {@link PersistSettings#STORE}. Providers are looked for only where a name is none of this
 * package's own: ranks are not to pay for that as they start.
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
