// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.kintsugi.launch.MpiHome.Flavour;

/**
 * The natives of a program's class path as plain files, unpacked once before any rank exists, so that ranks that start
 * together have nothing to race on (bytedeco/javacpp#608).
 */
final class NativeLibraries {
  /** What of them starts the ranks under the Reinit++ fork; see {@link ReinitFlags}. */
  static final String STARTER = "kintsugi-rank";

  /** What of them is preloaded into the launcher of the Reinit++ fork. */
  private static final String PRELOADED = "libkintsugi_launcher.so";

  private NativeLibraries() {}

  /**
   * The folder of those for an MPI; null if the class path shows none of any flavour (the ranks then find theirs by
   * themselves).
   *
   * @throws LaunchException if it shows those of another flavour only
   */
  static Path unpacked(List<String> javaArguments, MpiHome mpi) {
    Flavour other = null;
    String otherEntry = null;
    for (String entry : classPath(javaArguments)) {
      for (Flavour flavour : Flavour.values()) {
        if (!holds(Path.of(entry), folder(flavour))) {
          continue;
        }
        if (flavour == mpi.flavour()) {
          return Files.isDirectory(Path.of(entry))
              ? Path.of(entry).resolve(folder(flavour)).toAbsolutePath().normalize()
              : unpack(Path.of(entry), flavour);
        }
        other = flavour;
        otherEntry = entry;
      }
    }
    if (other != null) {
      throw new LaunchException("the program has Kintsugi's natives of the flavour " + other.word() + " (" + otherEntry
          + "), but " + mpi.prefix() + " is of the flavour " + mpi.flavour().word() + ", and the two do not mix: build Kintsugi "
          + "where " + (mpi.flavour() == Flavour.REINIT ? "the Reinit++ fork" : "an Open MPI with ULFM")
          + " is installed, or name an MPI of the flavour " + other.word() + " (--mpi PREFIX, --flavour " + other.word() + ")");
    }
    return null;
  }

  /**
   * What is to be preloaded into mpirun and its daemons (native/reinit/launcher.c).
   *
   * @param natives the folder of the natives, or null
   * @return its path; null where there is none, or one that LD_PRELOAD cannot take
   */
  static String preloaded(Path natives) {
    if (natives == null || !Files.exists(natives.resolve(PRELOADED))) {
      return null;
    }
    String path = natives.resolve(PRELOADED).toString();
    return path.matches(".*[:\\s'\"].*") ? null : path;
  }

  private static String folder(Flavour flavour) {
    return "org/kintsugi/bindings/linux-x86_64-" + flavour.word() + "/";
  }

  private static boolean holds(Path entry, String folder) {
    if (Files.isDirectory(entry)) {
      return Files.isDirectory(entry.resolve(folder));
    }
    if (!entry.toString().endsWith(".jar") || !entry.getFileName().toString().startsWith("kintsugi-bindings")
        || !Files.exists(entry)) {
      return false;
    }
    try (JarFile file = new JarFile(entry.toFile())) {
      return file.stream().anyMatch(one -> one.getName().startsWith(folder) && one.getName().endsWith(".so"));
    } catch (IOException e) {
      throw new LaunchException("cannot read " + entry + ": " + e, e);
    }
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
  private static Path unpack(Path jar, Flavour flavour) {
    String from = folder(flavour);
    try {
      String stamp = Long.toHexString(Files.size(jar)) + "-" + Long.toHexString(Files.getLastModifiedTime(jar).toMillis());
      String cache = System.getenv().getOrDefault("XDG_CACHE_HOME", System.getProperty("user.home") + "/.cache");
      Path folder = Path.of(cache, "kintsugi", "natives-" + flavour.word() + "-" + stamp);
      if (Files.isDirectory(folder)) {
        return folder;
      }
      Files.createDirectories(folder.getParent());
      Path aside = Files.createTempDirectory(folder.getParent(), "unpacking-");
      try (JarFile file = new JarFile(jar.toFile())) {
        for (JarEntry entry : (Iterable<JarEntry>) file.stream()::iterator) {
          String name = entry.getName().startsWith(from) ? entry.getName().substring(from.length()) : "";
          if (name.endsWith(".so") || name.equals(STARTER)) {
            try (InputStream bytes = file.getInputStream(entry)) {
              Files.copy(bytes, aside.resolve(name));
            }
            // A jar does not say what may be run.
            Files.setPosixFilePermissions(aside.resolve(name), PosixFilePermissions.fromString("rwxr-xr-x"));
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
