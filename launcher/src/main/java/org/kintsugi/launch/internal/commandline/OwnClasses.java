// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.commandline;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.kintsugi.launch.internal.host.Installation;
import org.kintsugi.runtime.internal.PropertyNames;

/**
 * Kintsugi's own classes for programs: the jars of the installation that this launcher runs from, or
 * what Maven has compiled in its checkout.
 */
public final class OwnClasses {
  private OwnClasses() {}

  /** The class path; null if the launcher was not started by the script of an installation or a checkout. */
  public static String classPath() {
    String home = System.getProperty(PropertyNames.HOME);
    return home == null ? null : in(Path.of(home));
  }

  /** The class path in a folder; null if it is neither an installation nor a checkout that was compiled. */
  static String in(Path home) {
    if (Files.isDirectory(home.resolve("lib/launcher"))) {
      return new Installation(home).libraries();
    }
    if (!Files.isDirectory(home.resolve("java-api/target/classes"))) {
      return null;
    }
    return Stream.of("java-api/target/classes", "bindings/target/classes", "runtime/target/classes", "ci/target/lib/*")
        .map(entry -> home + File.separator + entry).collect(Collectors.joining(File.pathSeparator));
  }

  /**
   * The words of a rank's java, with Kintsugi's own classes at the end of the class path if it has none.
   *
   * @param words options, class path, main class and its arguments
   * @param own as {@link #classPath} gives it; null: the words stay as they are
   */
  public static List<String> added(List<String> words, Map<String, String> environment, String own) {
    JvmArguments jvm = new JvmArguments(words, environment);
    if (own == null || !jvm.takesClassPath() || new ProgramClass(jvm).hasApi()) {
      return words;
    }
    return jvm.withClassPath(users -> users + File.pathSeparator + own);
  }
}
