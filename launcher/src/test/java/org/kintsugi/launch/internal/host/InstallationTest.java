// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the folder of a launcher has. */
class InstallationTest {
  @TempDir
  private Path folder;

  @Test
  void kintsugisClassesAreInAnInstallationAndInACheckout() throws IOException {
    assertThat(Installation.ownClasses(folder)).isNull();
    Files.createDirectories(folder.resolve("java-api/target/classes"));
    assertThat(Installation.ownClasses(folder)).startsWith(folder + "/java-api/target/classes:")
        .endsWith(":" + folder + "/ci/target/lib/*");
    Files.createDirectories(folder.resolve("lib/launcher"));
    assertThat(Installation.ownClasses(folder)).isEqualTo(folder + "/lib/*");
  }
}
