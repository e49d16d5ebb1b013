// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.ranks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** A Java of version 21 or newer, for tests of what older ones do not have. */
public final class NewerJava {
  private static final int VERSION = 21;
  private static final Path JVMS = Path.of("/usr/lib/jvm");

  private NewerJava() {}

  /** This JVM's java, or one of Debian's folder; the test is skipped where neither is new enough. */
  public static Path orSkip() {
    if (Runtime.version().feature() >= VERSION) {
      return Path.of(System.getProperty("java.home"), "bin", "java");
    }
    Optional<Path> installed = installed();
    Assumptions.assumeTrue(installed.isPresent(),
        "no JDK " + VERSION + " or newer in " + JVMS + ": install one beside the older");
    return installed.orElseThrow();
  }

  private static Optional<Path> installed() {
    if (!Files.isDirectory(JVMS)) {
      return Optional.empty();
    }
    try (Stream<Path> homes = Files.list(JVMS)) {
      return homes.filter(home -> home.getFileName().toString().matches(".*-(2[1-9]|3\\d)-.*"))
          .map(home -> home.resolve("bin/java")).filter(Files::isExecutable).findFirst();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
