// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

/** Which store a communicator uses: {@link PersistSettings#STORE}. */
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
      case "scr":
        return new ScrMessageStore();
      default:
        try {
          return (MessageStore) Class.forName(name).getConstructor().newInstance();
        } catch (ReflectiveOperationException | ClassCastException e) {
          throw new IllegalArgumentException(
              "info " + PersistSettings.STORE + "=" + name + ": expected memory, file, jdbc, scr, or the "
                  + "name of a public class that implements " + MessageStore.class.getName()
                  + " and has a public constructor without "
                  + "parameters",
              e);
        }
    }
  }
}
