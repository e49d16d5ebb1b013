// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime.internal;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The folders in which native builds are looked for. */
public final class KintsugiFolders {
  private static final Path OF_MACHINE = Path.of("/opt/kintsugi");

  private KintsugiFolders() {}

  /**
   * The user's folder, then that of the machine.
   *
   * @param environment the variables of this process
   * @return in the order in which they are looked at, whether they are there or not
   */
  public static List<Path> of(Map<String, String> environment) {
    return List.of(ofUser(environment), OF_MACHINE);
  }

  /**
   * The user's own folder for native builds.
   *
   * @param environment the variables of this process
   * @return {@code $XDG_DATA_HOME/kintsugi}, whether it is there or not
   */
  public static Path ofUser(Map<String, String> environment) {
    String data = environment.getOrDefault(VariableNames.XDG_DATA_HOME, "");
    Path dataHome = data.isEmpty() ? Path.of(System.getProperty("user.home"), ".local", "share") : Path.of(data);
    return dataHome.resolve("kintsugi");
  }

  /**
   * Whether the fork, FTI and SCR are to be treated as missing.
   *
   * @param environment the variables of this process
   * @return {@link VariableNames#OPTIONAL_NATIVES} says so
   */
  public static boolean areOptionalNativesHidden(Map<String, String> environment) {
    return "none".equals(environment.get(VariableNames.OPTIONAL_NATIVES));
  }
}
