// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The recipe of all builds ({@code make made}), with nothing for Maven to do. */
class BuildRecipeTest {
  private static final int LIMIT_SECONDS = 120;
  private static final Path CHECKOUT = Path.of(System.getProperty("basedir", "."), "..").toAbsolutePath().normalize();

  @TempDir
  Path folder;

  private String make(String newerJdk) throws IOException, InterruptedException {
    return Commands.run(folder, LIMIT_SECONDS, Map.of("KINTSUGI_NEWER_JDK", newerJdk), List.of("make", "-C", CHECKOUT.toString(),
        "made", "MVN=true", "MADE=" + folder.resolve("made"), "BINDINGS_MADE=" + folder.resolve("bindings")));
  }

  /** Where none was found, it ended before it began. */
  @Test
  void needsNoNewerJdk() throws IOException, InterruptedException {
    assertThat(make("none")).startsWith("0 ").contains("KINTSUGI_NEWER_JDK=none: nothing is built for newer Javas in particular");
    assertThat(folder.resolve("made")).isNotEmptyFile();
  }

  @Test
  void refusesANewerJdkThatIsNone() throws IOException, InterruptedException {
    assertThat(make(folder.toString())).startsWith("2 ").contains(folder + " is not the home of a JDK 22 or newer");
    assertThat(folder.resolve("made")).doesNotExist();
  }
}
