// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.kintsugi.mpi.Info;

/**
 * How a persistent communicator keeps messages: the info keys that begin with {@value #PREFIX}. Other keys mean nothing here.
 * Unknown keys with the prefix and bad values are errors that name them.
 */
public final class PersistSettings {
  /** The beginning of all keys. */
  public static final String PREFIX = "kintsugi_persist_";

  /** {@code memory}, {@code file}, {@code jdbc}, {@code scr}, or the name of a class that implements {@link MessageStore}. */
  public static final String STORE = PREFIX + "store";

  /** The folder of the stores {@code file}, {@code jdbc} and {@code scr}. */
  public static final String DIR = PREFIX + "dir";

  /** The JDBC URL of the store {@code jdbc}, or {@code @} and a file that has it. See {@link PersistConfig#URL}. */
  public static final String URL = PREFIX + "url";

  /** How many messages of the same signature are kept: a number, or {@code all}; 1: the newest overwrites. */
  public static final String HISTORY = PREFIX + "history";

  /** The order in which a history is received again: {@code oldest} or {@code newest} first. */
  public static final String ORDER = PREFIX + "order";

  /** {@code true}: messages are stored and delivered as well. */
  public static final String TRANSPARENT = PREFIX + "transparent";

  /**
   * The messages that are seen after a failure: {@code newest}, all that were stored; {@code barrier}, those stored before the
   * last barrier that all processes had entered.
   */
  public static final String RECOVER = PREFIX + "recover";

  /** When the store {@code file} forces bytes to the disk: at every {@code barrier} or {@code message}, or {@code never}. */
  public static final String SYNC = PREFIX + "sync";

  /** The most bytes that the store {@code memory} keeps for a process and communicator. */
  public static final String MEMORY = PREFIX + "memory";

  /** Names the communicator within its key; without it, it is known by its ordinal. */
  public static final String NAME = PREFIX + "name";

  /**
   * At which barriers the store {@code scr} writes a data set: every so many, a number; or {@code advice}, when
   * {@code SCR_Need_checkpoint} says so.
   */
  public static final String SCR_INTERVAL = PREFIX + "scr_interval";

  private static final Set<String> KEYS =
      Set.of(STORE, DIR, URL, HISTORY, ORDER, TRANSPARENT, RECOVER, SYNC, MEMORY, NAME, SCR_INTERVAL);
  private static final String ADVICE = "advice";
  private static final String ALL = "all";
  private static final long MIN_MEMORY = 1 << 16;
  /** The store's file has three times as much, and one mapping of it: not more than 2 GiB. */
  private static final long MAX_MEMORY = 680L << 20;

  /** When bytes are forced to the disk. */
  public enum Sync {
    /** Before a send returns. */
    MESSAGE,
    /** When a barrier on the persistent communicator returns. */
    BARRIER,
    /** By the operating system, some time. */
    NEVER
  }

  private final Map<String, String> values = new LinkedHashMap<>();
  private final long history;
  private final boolean newestFirst;
  private final boolean transparent;
  private final boolean rounds;
  private final Sync sync;
  private final long memoryBytes;
  private final long scrInterval;

  private PersistSettings(Map<String, String> info) {
    values.put(STORE, PersistConfig.STORE.value());
    values.put(DIR, PersistConfig.DIR.value());
    values.put(URL, PersistConfig.URL.value());
    for (Map.Entry<String, String> pair : info.entrySet()) {
      if (pair.getKey().startsWith(PREFIX)) {
        if (!KEYS.contains(pair.getKey())) {
          throw new IllegalArgumentException("info key " + pair.getKey() + " is unknown; there are "
              + KEYS.stream().sorted().toList());
        }
        values.put(pair.getKey(), pair.getValue().trim());
      }
    }
    String depth = values.getOrDefault(HISTORY, "1");
    history = depth.equals(ALL) ? Long.MAX_VALUE : number(HISTORY, depth, 1, Integer.MAX_VALUE, "or " + ALL);
    newestFirst = word(ORDER, "oldest", "newest").equals("newest");
    transparent = word(TRANSPARENT, "false", "true").equals("true");
    rounds = word(RECOVER, "newest", "barrier").equals("barrier");
    sync = Sync.valueOf(word(SYNC, "barrier", "message", "never").toUpperCase(java.util.Locale.ROOT));
    memoryBytes = number(MEMORY, values.getOrDefault(MEMORY, String.valueOf(32L << 20)), MIN_MEMORY, MAX_MEMORY,
        "bytes (680 MiB); other stores keep more");
    String interval = values.getOrDefault(SCR_INTERVAL, "1");
    scrInterval = interval.equals(ADVICE) ? 0 : number(SCR_INTERVAL, interval, 1, Integer.MAX_VALUE, "or " + ADVICE);
    if (values.get(STORE).isEmpty()) {
      throw bad(STORE, "", "memory, file, jdbc, scr, or the name of a class");
    }
  }

  static PersistSettings of(Info info) {
    return new PersistSettings(info == null ? Map.of() : info.toMap());
  }

  static PersistSettings of(Map<String, String> info) {
    return new PersistSettings(info);
  }

  /** The first word is the default. */
  private String word(String key, String... words) {
    String value = values.getOrDefault(key, words[0]);
    for (String word : words) {
      if (word.equals(value)) {
        return word;
      }
    }
    throw bad(key, value, String.join(" or ", words));
  }

  private static long number(String key, String value, long least, long most, String unit) {
    try {
      long number = Long.parseLong(value);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // said below, once for both
    }
    throw bad(key, value, "a whole number from " + least + " to " + most + " " + unit);
  }

  private static IllegalArgumentException bad(String key, String value, String expected) {
    return new IllegalArgumentException("info " + key + "=" + value + ": expected " + expected);
  }

  /**
   * The value of a key, or its default; empty if there is neither.
   *
   * @param key one of the names in this class
   * @return the text, as it was given
   */
  public String value(String key) {
    return values.getOrDefault(key, "");
  }

  /**
   * How many messages of a signature are kept; {@link Long#MAX_VALUE}: all.
   *
   * @return at least 1
   */
  public long history() {
    return history;
  }

  /**
   * Whether a history is received again from its newest message on.
   *
   * @return false: from the oldest on
   */
  public boolean isNewestFirst() {
    return newestFirst;
  }

  /**
   * Whether messages are delivered as well.
   *
   * @return false: they are stored, and delivered after a failure only
   */
  public boolean isTransparent() {
    return transparent;
  }

  /**
   * Whether a failure discards the messages that were stored after the last barrier of all
   * processes.
   *
   * @return false: every message counts as soon as it is stored
   */
  public boolean isByRounds() {
    return rounds;
  }

  /**
   * When bytes are forced to the disk.
   *
   * @return one of the moments
   */
  public Sync sync() {
    return sync;
  }

  /**
   * The most bytes that are kept in memory.
   *
   * @return bytes, for each process
   */
  public long memoryBytes() {
    return memoryBytes;
  }

  /**
   * Every how many barriers SCR gets a data set; 0: when it advises one.
   *
   * @return a number of barriers
   */
  public long scrInterval() {
    return scrInterval;
  }

  /** The settings that must be the same on all processes. */
  String common() {
    return value(STORE) + " " + history + " " + newestFirst + " " + transparent + " " + rounds + " " + sync + " " + value(NAME)
        + " " + scrInterval + " " + memoryBytes + " " + value(DIR) + " " + value(URL);
  }
}
