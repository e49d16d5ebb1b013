// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * Loads classes before they are needed. Nothing depends on it: a class that cannot be loaded may never be needed, and otherwise
 * the error shows where it is used.
 */
final class WarmClasses {
  private static final String SUFFIX = ".class";

  /** A larger program loads the rest when it is needed. */
  private static final int MOST = 1000;

  private WarmClasses() {}

  /** Loads and initialises these classes. */
  static void initialise(Class<?>... classes) {
    for (Class<?> one : classes) {
      load(one.getName(), true);
    }
  }

  /** The classes in this class's package and those below: loaded, verified, and not initialised. */
  static void link(Class<?> one) {
    for (String name : names(one, one.getPackageName())) {
      load(name, false);
    }
  }

  /** The classes next to this one in a package and those below, initialised. */
  static List<Class<?>> initialise(Class<?> one, String packageName) {
    List<Class<?>> ready = new ArrayList<>();
    for (String name : names(one, packageName)) {
      Class<?> loaded = load(name, true);
      if (loaded != null) {
        ready.add(loaded);
      }
    }
    return ready;
  }

  private static Class<?> load(String name, boolean initialise) {
    try {
      Class<?> loaded = Class.forName(name, initialise, ClassLoader.getSystemClassLoader());
      // Getting its methods links it.
      loaded.getDeclaredMethods();
      return loaded;
    } catch (ClassNotFoundException | LinkageError notHere) {
      // The class is not for this program, or not for this flavour.
      return null;
    }
  }

  private static List<String> names(Class<?> one, String packageName) {
    String prefix = packageName.isEmpty() ? "" : packageName.replace('.', '/') + "/";
    try {
      Path place = Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
      if (Files.isDirectory(place)) {
        try (Stream<Path> files = Files.walk(place.resolve(prefix))) {
          return names(files.map(file -> place.relativize(file).toString()), prefix);
        }
      }
      try (JarFile jar = new JarFile(place.toFile())) {
        return names(jar.stream().map(ZipEntry::getName), prefix);
      }
    } catch (IOException | URISyntaxException | RuntimeException e) {
      return List.of();
    }
  }

  private static List<String> names(Stream<String> files, String prefix) {
    return files.filter(file -> file.startsWith(prefix) && file.endsWith(SUFFIX))
        // The unnamed package has no packages below it.
        .filter(file -> !prefix.isEmpty() || file.indexOf('/') < 0).limit(MOST)
        .map(file -> file.substring(0, file.length() - SUFFIX.length()).replace('/', '.')).toList();
  }
}
