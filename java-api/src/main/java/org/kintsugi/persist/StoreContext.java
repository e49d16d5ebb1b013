// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

/**
 * For what a store is opened.
 *
 * @param key the session key
 * @param communicator identifies the communicator within the key: its name or ordinal, and its first process
 * @param rank of this process in the communicator
 * @param size of the communicator
 * @param world size of the world by whose ranks processes are known
 * @param node the name of this process's node
 * @param settings how to keep messages
 */
public record StoreContext(String key, String communicator, int rank, int size, int world, String node,
    PersistSettings settings) {
  /**
   * The context of a communicator that is the world.
   *
   * @param key the session key
   * @param communicator identifies the communicator within the key: its name or ordinal, and its first process
   * @param rank of this process in the communicator
   * @param size of the communicator, which is that of the world
   * @param node the name of this process's node
   * @param settings how to keep messages
   */
  public StoreContext(String key, String communicator, int rank, int size, String node, PersistSettings settings) {
    this(key, communicator, rank, size, size, node, settings);
  }

  StoreContext onNode(String name) {
    return new StoreContext(key, communicator, rank, size, world, name, settings);
  }

  /**
   * For what another store keeps of the same communicator.
   *
   * @param suffix of the communicator's identity
   * @return as this one, for entries that do not mix with those kept for this one
   */
  public StoreContext apart(String suffix) {
    return new StoreContext(key, communicator + suffix, rank, size, world, node, settings);
  }

  /** The identity of everything that belongs together, for file names and columns: printable, without slashes, not too long. */
  String folderName() {
    return readable(key) + "." + readable(communicator) + "-" + Integer.toHexString((key + "\0" + communicator).hashCode());
  }

  private static String readable(String text) {
    StringBuilder name = new StringBuilder();
    for (int i = 0; i < text.length() && i < 40; i++) {
      char c = text.charAt(i);
      name.append(c < 128 && Character.isLetterOrDigit(c) || c == '-' || c == '@' ? c : '_');
    }
    return name.toString();
  }

  /**
   * The identity that is compared when a file is opened: a hash may be that of another key, and sizes change, and with them the
   * world's ranks.
   *
   * @return text for a comparison, and for messages
   */
  public String identity() {
    return "key '" + key + "', communicator " + communicator + ", " + size + " processes of " + world + " in the world, rank "
        + rank;
  }

  /** The error of a place that has something else. */
  static PersistException isOfAnother(String place, String found, String identity) {
    return new PersistException(place + " is of " + found + ", and not of " + identity
        + ": to begin anew use another key (info " + PersistSettings.NAME + " for another communicator)");
  }
}
