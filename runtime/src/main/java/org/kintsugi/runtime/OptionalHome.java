// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.kintsugi.runtime.internal.KintsugiFolders;
import org.kintsugi.runtime.internal.VariableNames;

/**
 * Finds a native library that Kintsugi can use and does not need (FTI, SCR).
 *
 * <p>Such a library is linked against one particular MPI, so its folder may carry the flavour's name. Searched in order: the
 * environment ({@code FTI_HOME}), the user's Kintsugi folder ({@code $XDG_DATA_HOME/kintsugi/fti-ulfm}, then {@code .../fti}),
 * {@code /opt/kintsugi} (likewise). {@code KINTSUGI_OPTIONAL_NATIVES=none} in the environment hides them all.
 */
public final class OptionalHome {
  private OptionalHome() {}

  /**
   * The prefix under which the library is installed: it has {@code lib/libNAME.so}, or {@code lib64/libNAME.so}.
   *
   * @param name the library's, {@code fti}, say
   * @param flavour of the MPI that it must have been built for
   * @return an installation prefix
   * @throws UnsupportedOperationException if it is nowhere; the message names what is missing and where it was looked for
   */
  public static Path find(String name, Flavour flavour) {
    return find(name, flavour, System.getenv());
  }

  static Path find(String name, Flavour flavour, Map<String, String> environment) {
    List<Path> candidates = KintsugiFolders.areOptionalNativesHidden(environment)
        ? List.of() : candidates(name, flavour, environment);
    for (Path home : candidates) {
      if (libraryFolder(home, name) != null) {
        return home;
      }
    }
    StringBuilder message = new StringBuilder("lib" + name + ".so, built against the MPI of the flavour " + flavour
        + ", is not installed, or not where it was looked for (each with lib/ and lib64/):");
    for (Path home : candidates) {
      message.append("\n  ").append(home);
    }
    if (candidates.isEmpty()) {
      message.append("\n  nowhere: " + VariableNames.OPTIONAL_NATIVES + "=none");
    }
    message.append("\nSet the environment variable ").append(variable(name)).append(" to the prefix it was installed to");
    throw new UnsupportedOperationException(message.toString());
  }

  /**
   * The folder of a home that has the library in it.
   *
   * @param home an installation prefix
   * @param name the library's, {@code fti}, say
   * @return {@code lib} or {@code lib64} below it
   */
  public static Path libraryFolder(Path home, String name) {
    for (String folder : new String[] {"lib", "lib64"}) {
      if (Files.exists(home.resolve(folder).resolve("lib" + name + ".so"))) {
        return home.resolve(folder);
      }
    }
    return null;
  }

  private static String variable(String name) {
    return name.toUpperCase(Locale.ROOT) + "_HOME";
  }

  static List<Path> candidates(String name, Flavour flavour, Map<String, String> environment) {
    String home = environment.getOrDefault(variable(name), "");
    if (!home.isEmpty()) {
      // A user who sets this variable wants that installation, and no other.
      return List.of(Path.of(home));
    }
    List<Path> found = new ArrayList<>();
    for (Path folder : KintsugiFolders.of(environment)) {
      found.add(folder.resolve(name + flavour.extension()));
      found.add(folder.resolve(name));
    }
    return found;
  }
}
