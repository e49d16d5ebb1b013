// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.ranks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * A folder for what a job writes, for as long as it is open: closing it removes all that is in it.
 *
 * @param path where it is
 */
public record TemporaryFolder(Path path) implements AutoCloseable {
  /** Makes one whose name begins so. */
  public static TemporaryFolder create(String prefix) throws IOException {
    return new TemporaryFolder(Files.createTempDirectory(prefix));
  }

  /** Makes one inside of another folder. */
  public static TemporaryFolder in(Path parent, String prefix) throws IOException {
    return new TemporaryFolder(Files.createTempDirectory(parent, prefix));
  }

  /** Removes a folder with all that is in it, if there is one. */
  public static void remove(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> below = Files.walk(folder)) {
        for (Path one : below.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(one);
        }
      }
    }
  }

  @Override
  public void close() {
    try (Stream<Path> files = Files.walk(path)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
