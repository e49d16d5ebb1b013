// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import org.kintsugi.runtime.Setting;

/**
 * The system properties that say where persistent communicators keep messages. Info keys ({@link PersistSettings}) say it for one
 * communicator.
 */
public enum PersistConfig implements Setting {
  /** The store of persistent communicators: {@code memory}, {@code file}, {@code jdbc}, {@code scr}, or a class's name. */
  STORE("kintsugi.persist.store", "memory"),
  /** The folder of the stores {@code file}, {@code jdbc} (embedded) and {@code scr}; all nodes see it. */
  DIR("kintsugi.persist.dir", "persist"),
  /**
   * The JDBC URL of the store {@code jdbc}, or {@code @} and a file that has it and is the user's
   * alone: everybody can read a command line, and a password in it. Empty: that of the environment
   * variable {@code KINTSUGI_PERSIST_URL}, if there is one; else an embedded database in {@link #DIR}.
   */
  URL("kintsugi.persist.url", ""),
  /**
   * The name of the failure domain of this process, which is lost with it, in memory: persistent communicators keep copies in
   * another domain (a rack, say). Empty: its node.
   */
  DOMAIN("kintsugi.persist.domain", "");

  private final String property;
  private final String defaultValue;

  PersistConfig(String property, String defaultValue) {
    this.property = property;
    this.defaultValue = defaultValue;
  }

  @Override
  public String property() {
    return property;
  }

  @Override
  public String defaultValue() {
    return defaultValue;
  }
}
