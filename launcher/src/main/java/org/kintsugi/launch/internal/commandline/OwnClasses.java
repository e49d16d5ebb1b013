// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.commandline;

import java.io.File;
import java.util.List;
import java.util.Map;
import org.kintsugi.launch.internal.host.Installation;

/**
 * Adds Kintsugi's own classes to the class path of a program that does not have them.
 *
 * <p>{@link Installation#ownClasses} says where they are; this class decides whether a program needs them.
 */
public final class OwnClasses {
  private OwnClasses() {}

  /**
   * The words of a rank's java, with Kintsugi's own classes at the end of the class path if it has none.
   *
   * @param words options, class path, main class and its arguments
   * @param own as {@link Installation#ownClasses} gives it; null: the words stay as they are
   */
  public static List<String> added(List<String> words, Map<String, String> environment, String own) {
    JvmArguments jvm = new JvmArguments(words, environment);
    if (own == null || !jvm.takesClassPath() || new ProgramClass(jvm).hasApi()) {
      return words;
    }
    return jvm.withClassPath(users -> users + File.pathSeparator + own);
  }
}
