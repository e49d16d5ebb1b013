// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.commandline;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The version and the modules of the java that will run the ranks: not always the one that runs the launcher. */
public final class JavaVersion {
  private static final Pattern VERSION = Pattern.compile("(?m)^JAVA_VERSION=\"(\\d+)[^\"]*\"$");

  private static final Pattern MODULES = Pattern.compile("(?m)^MODULES=\"([^\"]*)\"$");

  private JavaVersion() {}

  /** The feature version, 17 for instance; that of the launcher's own Java if the file does not say. */
  public static int feature(Path java) {
    try {
      Matcher version = VERSION.matcher(release(java));
      return version.find() ? Integer.parseInt(version.group(1)) : Runtime.version().feature();
    } catch (IOException noRelease) {
      return Runtime.version().feature();
    }
  }

  /** The names of its modules; none if the file does not say. */
  static Set<String> modules(Path java) {
    try {
      Matcher modules = MODULES.matcher(release(java));
      return modules.find() ? Set.of(modules.group(1).split(" ")) : Set.of();
    } catch (IOException noRelease) {
      return Set.of();
    }
  }

  private static String release(Path java) throws IOException {
    return Files.readString(java.toRealPath().getParent().getParent().resolve("release"));
  }
}
