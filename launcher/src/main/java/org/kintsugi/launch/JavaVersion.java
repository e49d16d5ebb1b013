// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The version of the java that will run the ranks: not always the one that runs the launcher. */
final class JavaVersion {
  private static final Pattern VERSION = Pattern.compile("(?m)^JAVA_VERSION=\"(\\d+)[^\"]*\"$");

  private JavaVersion() {}

  /** The feature version, 17 for instance; that of the launcher's own Java if the file does not say. */
  static int feature(Path java) {
    try {
      Path home = java.toRealPath().getParent().getParent();
      Matcher version = VERSION.matcher(Files.readString(home.resolve("release")));
      return version.find() ? Integer.parseInt(version.group(1)) : Runtime.version().feature();
    } catch (IOException noRelease) {
      return Runtime.version().feature();
    }
  }
}
