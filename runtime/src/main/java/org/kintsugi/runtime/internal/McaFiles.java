// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The files in which a user, or an administrator, sets parameters of Open MPI. Command line and environment win over them. */
public final class McaFiles {
  private McaFiles() {}

  /**
   * Whether one of the files that Open MPI reads by default sets a parameter.
   *
   * @param name of the parameter
   * @param environment of the process, which has the user's home folder
   * @param prefix of the Open MPI
   * @return whether one does, with any value
   */
  public static boolean isSet(String name, Map<String, String> environment, Path prefix) {
    List<Path> files = new ArrayList<>();
    String home = environment.getOrDefault("HOME", "");
    if (!home.isEmpty()) {
      files.add(Path.of(home, ".openmpi", "mca-params.conf"));
    }
    files.add(prefix.resolve("etc").resolve("openmpi-mca-params.conf"));
    return files.stream().anyMatch(file -> isSet(name, file));
  }

  private static boolean isSet(String name, Path file) {
    try {
      // Any encoding does: names of parameters are ASCII.
      for (String line : Files.readAllLines(file, StandardCharsets.ISO_8859_1)) {
        int equals = line.indexOf('=');
        if (equals > 0 && line.substring(0, equals).trim().equals(name)) {
          return true;
        }
      }
      return false;
    } catch (IOException none) {
      return false; // Open MPI cannot read it either
    }
  }
}
