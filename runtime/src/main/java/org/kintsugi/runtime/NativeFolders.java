// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime;

import java.util.Locale;

/** The folders of native libraries inside a jar or a folder of classes, one for each machine and flavour. */
public final class NativeFolders {
  private NativeFolders() {}

  /**
   * The folder of this machine's, for one flavour.
   *
   * @param flavour which
   * @return its path from the root of a jar, without a slash at the end
   */
  public static String of(Flavour flavour) {
    return prefix() + flavour.extension();
  }

  /**
   * The common beginning of this machine's folders of all flavours.
   *
   * @return a path from the root of a jar
   */
  public static String prefix() {
    return "org/kintsugi/bindings/" + platform(System.getProperty("os.arch"));
  }

  /**
   * A machine in JavaCPP's words, which names the folders.
   *
   * @param architecture as Java names it
   */
  static String platform(String architecture) {
    return "linux-" + switch (architecture.toLowerCase(Locale.ROOT)) {
      case "amd64", "x86-64", "x64" -> "x86_64";
      case "aarch64" -> "arm64";
      default -> architecture.toLowerCase(Locale.ROOT);
    };
  }
}
