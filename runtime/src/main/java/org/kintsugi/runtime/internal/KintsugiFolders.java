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
    return ofUser(environment, VariableNames.XDG_DATA_HOME, ".local/share");
  }

  /**
   * The user's own folder for one kind of files.
   *
   * @param environment the variables of this process
   * @param variable the one that names the folder for that kind of all programs' files; an empty one counts as none
   * @param otherwise the same where it is not set, below the user's home
   * @return {@code kintsugi} in it, whether it is there or not
   */
  public static Path ofUser(Map<String, String> environment, String variable, String otherwise) {
    String all = environment.getOrDefault(variable, "");
    return (all.isEmpty() ? home(environment).resolve(otherwise) : Path.of(all)).resolve("kintsugi");
  }

  /**
   * HOME, by which the shell scripts go: in a container it often differs from the home that the system has for the user. For a
   * user whom the system does not know Java has a question mark, which would be a folder in the current one.
   */
  private static Path home(Map<String, String> environment) {
    String home = environment.getOrDefault("HOME", "");
    String ofSystem = System.getProperty("user.home", "");
    return Path.of(!home.isEmpty() ? home : ofSystem.startsWith("/") ? ofSystem : "/");
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
