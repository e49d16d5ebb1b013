// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.mpirun;

/**
 * The nodes of a job under the Reinit++ fork that are empty at first.
 *
 * @param firstDaemon the number of the launcher's daemon on the first of them; those on the others follow
 * @param count how many they are
 */
public record SpareNodes(int firstDaemon, int count) {
  public static final SpareNodes NONE = new SpareNodes(Integer.MAX_VALUE, 0);

  public boolean include(int daemon) {
    return daemon >= firstDaemon;
  }
}
