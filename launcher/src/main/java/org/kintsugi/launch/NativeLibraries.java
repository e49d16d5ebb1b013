// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * The natives of a program's class path as plain files, unpacked once before any rank exists, so that ranks that start
 * together have nothing to race on (bytedeco/javacpp#608).
 */
final class NativeLibraries {
  private static final String FOLDER = "org/kintsugi/bindings/linux-x86_64-ulfm/";

  private NativeLibraries() {}

  /** The folder; null if the class path does not show one (the ranks then find their natives by themselves). */
  static Path unpacked(List<String> javaArguments) {
    for (String entry : classPath(javaArguments)) {
      Path path = Path.of(entry);
      if (Files.isDirectory(path.resolve(FOLDER))) {
        return path.resolve(FOLDER).toAbsolutePath().normalize();
      }
      if (entry.endsWith(".jar") && path.getFileName().toString().startsWith("kintsugi-bindings")) {
        return unpack(path);
      }
    }
    return null;
  }

  private static List<String> classPath(List<String> javaArguments) {
    for (int i = 0; i + 1 < javaArguments.size(); i++) {
      String argument = javaArguments.get(i);
      if (argument.equals("-cp") || argument.equals("-classpath") || argument.equals("--class-path")) {
        return List.of(javaArguments.get(i + 1).split(File.pathSeparator));
      }
    }
    return List.of();
  }

  /** Into the user's cache, under a name that says which jar: written aside, then renamed, so never half there. */
  private static Path unpack(Path jar) {
    try {
      String stamp = Long.toHexString(Files.size(jar)) + "-" + Long.toHexString(Files.getLastModifiedTime(jar).toMillis());
      String cache = System.getenv().getOrDefault("XDG_CACHE_HOME", System.getProperty("user.home") + "/.cache");
      Path folder = Path.of(cache, "kintsugi", "natives-" + stamp);
      if (Files.isDirectory(folder)) {
        return folder;
      }
      Files.createDirectories(folder.getParent());
      Path aside = Files.createTempDirectory(folder.getParent(), "unpacking-");
      try (JarFile file = new JarFile(jar.toFile())) {
        for (JarEntry entry : (Iterable<JarEntry>) file.stream()::iterator) {
          if (entry.getName().startsWith(FOLDER) && entry.getName().endsWith(".so")) {
            try (InputStream bytes = file.getInputStream(entry)) {
              Files.copy(bytes, aside.resolve(entry.getName().substring(FOLDER.length())));
            }
          }
        }
      }
      try {
        Files.move(aside, folder);
      } catch (FileAlreadyExistsException | DirectoryNotEmptyException somebodyElseWasFirst) {
        try (var files = Files.list(aside)) {
          files.forEach(file -> file.toFile().delete());
        }
        Files.delete(aside);
      }
      return folder;
    } catch (IOException e) {
      throw new LaunchException("cannot unpack the native libraries of " + jar + ": " + e, e);
    }
  }
}
