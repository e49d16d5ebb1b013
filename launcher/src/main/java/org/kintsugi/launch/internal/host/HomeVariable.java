// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.host;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The variable HOME, without which Open MPI's launchers and processes end at their start. Batch systems may leave it out. */
public final class HomeVariable {
  public static final String NAME = "HOME";

  private HomeVariable() {}

  public static boolean isSet(Map<String, String> environment) {
    return !environment.getOrDefault(NAME, "").isEmpty();
  }

  /**
   * The home that the system has for the user.
   *
   * @return null: none that is there, as for a user without an entry in the system's list
   */
  public static Path ofSystem() {
    String home = System.getProperty("user.home", "");
    return home.startsWith("/") && Files.isDirectory(Path.of(home)) ? Path.of(home) : null;
  }

  /**
   * Sets it where it is not set.
   *
   * @param environment of a process that is to be started
   * @param otherwise the folder for a user who has no home
   */
  public static void setIn(Map<String, String> environment, Path otherwise) {
    if (!isSet(environment)) {
      Path home = ofSystem();
      environment.put(NAME, (home == null ? otherwise : home).toString());
    }
  }
}
