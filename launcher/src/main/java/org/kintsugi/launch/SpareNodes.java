// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch;

/**
 * The nodes of a job under the Reinit++ fork that are empty at first.
 *
 * @param firstDaemon the number of the launcher's daemon on the first of them; those on the others follow
 * @param count how many they are
 */
record SpareNodes(int firstDaemon, int count) {
  static final SpareNodes NONE = new SpareNodes(Integer.MAX_VALUE, 0);

  boolean include(int daemon) {
    return daemon >= firstDaemon;
  }
}
