// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.kintsugi.test.TemporaryFolder;

/**
 * Keeps a copy of a job's files: one job serves for many kinds of damage.
 *
 * <p>Each kind begins with the files as they were.
 */
final class SavedFolder {
  private static final String ASIDE = "as-it-was";

  private final Path folder;
  private final List<String> parts;

  private SavedFolder(Path folder, List<String> parts) {
    this.folder = folder;
    this.parts = parts;
  }

  /** Keeps a copy of these folders inside of {@code folder}, in which nothing else is touched. */
  static SavedFolder of(Path folder, String... parts) throws IOException {
    SavedFolder saved = new SavedFolder(folder, List.of(parts));
    for (String part : parts) {
      copy(folder.resolve(part), saved.copy().resolve(part));
    }
    return saved;
  }

  /** The path of the copy. */
  Path copy() {
    return folder.resolve(ASIDE);
  }

  /** Makes the folders what they were. */
  void putBack() throws IOException {
    for (String part : parts) {
      TemporaryFolder.remove(folder.resolve(part));
      copy(copy().resolve(part), folder.resolve(part));
    }
  }

  /** The files of the copy, in a fixed order. */
  List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(copy())) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path path : all.toList()) {
        Files.createDirectories(to.resolve(from.relativize(path)).getParent());
        // With its time: by that it is known which of two versions is the newer one.
        Files.copy(path, to.resolve(from.relativize(path)), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }
}
