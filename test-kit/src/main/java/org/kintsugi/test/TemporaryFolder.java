// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * A folder for the files that a job writes. Closing it removes the folder and all that is in it.
 *
 * @param path where it is
 */
public record TemporaryFolder(Path path) implements AutoCloseable {
  /**
   * Makes one where the system has temporary files.
   *
   * @param prefix how its name begins
   * @return an empty folder
   * @throws IOException if it cannot be made
   */
  public static TemporaryFolder create(String prefix) throws IOException {
    return new TemporaryFolder(Files.createTempDirectory(prefix));
  }

  /**
   * Makes one inside of another folder.
   *
   * @param parent the other folder
   * @param prefix how its name begins
   * @return an empty folder
   * @throws IOException if it cannot be made
   */
  public static TemporaryFolder in(Path parent, String prefix) throws IOException {
    return new TemporaryFolder(Files.createTempDirectory(parent, prefix));
  }

  /**
   * Removes a folder with all that is in it, if there is one.
   *
   * @param folder which
   * @throws IOException if a part of it cannot be removed
   */
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
