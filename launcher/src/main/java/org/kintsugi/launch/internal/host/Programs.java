// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.host;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Programs that a shell of this host finds. */
public final class Programs {
  private Programs() {}

  /**
   * Searches the folders of the variable PATH.
   *
   * @param program its name
   * @param path the variable's value
   * @return null if it is in none of them
   */
  public static Path find(String program, String path) {
    return Stream.of(path.split(":")).filter(folder -> !folder.isEmpty()).map(folder -> Path.of(folder, program))
        .filter(Files::isExecutable).findFirst().orElse(null);
  }
}
