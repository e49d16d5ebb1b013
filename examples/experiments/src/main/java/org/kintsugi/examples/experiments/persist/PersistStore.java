// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments.persist;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.kintsugi.examples.experiments.ExperimentException;

/** Where messages are persisted. A new store is one entry here. */
enum PersistStore {
  MEMORY("memory", "memory", null), FILE("file", "file", null), SQLITE("jdbc", "SQLite, embedded", null),
  POSTGRES("jdbc", "PostgreSQL, a server", null), SCR("scr", "SCR", "SCR");

  /** As the setting of the store has it. */
  final String setting;
  final String label;
  /** The library that must be installed, as {@code kintsugi info} calls it; null: none. */
  final String library;

  PersistStore(String setting, String label, String library) {
    this.setting = setting;
    this.label = label;
    this.library = library;
  }

  /** As experiments have it. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static PersistStore of(String word) {
    return Arrays.stream(values()).filter(store -> store.word().equals(word)).findFirst()
        .orElseThrow(() -> new ExperimentException("store " + word + ": expected one of "
            + Arrays.stream(values()).map(PersistStore::word).collect(Collectors.joining(", "))));
  }
}
