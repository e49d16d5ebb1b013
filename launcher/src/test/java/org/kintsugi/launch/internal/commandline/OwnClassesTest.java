// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.commandline;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs find Kintsugi's own classes, wherever jmpirun runs from. */
class OwnClassesTest {
  private static final String OWN = "/opt/kintsugi/lib/*";

  @TempDir
  Path folder;

  private static List<String> added(String... words) {
    return OwnClasses.added(List.of(words), Map.of(), OWN);
  }

  @Test
  void theyComeAfterThoseOfTheProgram() {
    assertThat(added("-Xmx1g", "-cp", "classes", "Main", "-cp", "x"))
        .containsExactly("-Xmx1g", "-cp", "classes", "-cp", "classes:" + OWN, "Main", "-cp", "x");
    // Without a class path, the program is in the current folder: an empty entry.
    assertThat(added("Main")).containsExactly("-cp", ":" + OWN, "Main");
    assertThat(OwnClasses.added(List.of("Main"), Map.of("CLASSPATH", "a:b"), OWN)).containsExactly("-cp", "a:b:" + OWN, "Main");
  }

  @Test
  void aProgramThatHasThemKeepsItsClassPath() throws IOException {
    Path classes = Files.createDirectories(folder.resolve("org/kintsugi/mpi"));
    Files.write(classes.resolve("Mpi.class"), new byte[] {(byte) 0xCA, (byte) 0xFE, (byte) 0xBA, (byte) 0xBE, 0, 0, 0, 61});
    assertThat(added("-cp", folder.toString(), "Main")).containsExactly("-cp", folder.toString(), "Main");
  }

  @Test
  void whatIsStartedInAnotherWayStaysAsItIs() {
    assertThat(added("-jar", "app.jar")).containsExactly("-jar", "app.jar");
    assertThat(added("-p", "modules", "-m", "app/Main")).containsExactly("-p", "modules", "-m", "app/Main");
    assertThat(OwnClasses.added(List.of("-cp", "classes", "Main"), Map.of(), null)).containsExactly("-cp", "classes", "Main");
  }
}
