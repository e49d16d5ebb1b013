// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.ci.checkout.Checkout;

/** The recipe of all builds ({@code make made}), with nothing for Maven to do. */
class BuildRecipeTest {
  private static final int LIMIT_SECONDS = 120;

  @TempDir
  Path folder;

  private String build(String newerJdk) throws IOException, InterruptedException {
    return Commands.run(folder, LIMIT_SECONDS, Map.of("KINTSUGI_NEWER_JDK", newerJdk, "MVN", "true"),
        List.of(Checkout.FOLDER.resolve("ci/make/build.sh").toString()));
  }

  /** Where none was found, it ended before it began. */
  @Test
  void needsNoNewerJdk() throws IOException, InterruptedException {
    assertThat(build("none")).startsWith("0 ");
  }

  @Test
  void refusesANewerJdkThatIsNone() throws IOException, InterruptedException {
    assertThat(build(folder.toString())).startsWith("1 ").contains(folder + " is not the home of a JDK 22 or newer");
  }
}
