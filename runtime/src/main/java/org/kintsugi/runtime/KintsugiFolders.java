// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The folders in which native builds are looked for. */
final class KintsugiFolders {
  private static final Path OF_MACHINE = Path.of("/opt/kintsugi");

  private KintsugiFolders() {}

  /** The user's folder, then that of the machine. */
  static List<Path> of(Map<String, String> environment) {
    String data = environment.getOrDefault(VariableNames.XDG_DATA_HOME, "");
    Path dataHome = data.isEmpty() ? Path.of(System.getProperty("user.home"), ".local", "share") : Path.of(data);
    return List.of(dataHome.resolve("kintsugi"), OF_MACHINE);
  }

  /** Whether the fork, FTI and SCR are to be treated as missing. */
  static boolean areOptionalNativesHidden(Map<String, String> environment) {
    return "none".equals(environment.get(VariableNames.OPTIONAL_NATIVES));
  }
}
