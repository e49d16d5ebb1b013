// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The folder of one run, below that of the results, which all hosts of a job see: versions, stamps, output. */
final class WorkFolder {
  private static final String PREFIX = "kintsugi-experiment-";

  private WorkFolder() {}

  static Path make(Path out) throws IOException {
    Path folder = Files.createTempDirectory(out.toAbsolutePath(), PREFIX);
    Files.createDirectory(folder.resolve("stamps"));
    return folder;
  }

  /** Removes it, and the folder in memory on this host. What living processes of a failed job write meanwhile may remain. */
  static void remove(Path folder) {
    for (Path one : List.of(Launcher.localFolder(folder), folder)) {
      try (Stream<Path> files = Files.exists(one) ? Files.walk(one) : Stream.empty()) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(file);
        }
      } catch (IOException | UncheckedIOException leftover) {
        System.err.println("kintsugi experiment: " + one + " could not be removed: " + leftover);
      }
    }
  }
}
