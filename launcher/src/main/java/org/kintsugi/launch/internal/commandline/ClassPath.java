// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.commandline;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.kintsugi.launch.spec.LaunchException;

/** Folders and jars, in the order in which a JVM looks at them: with what jars name in their manifests, and wildcards. */
final class ClassPath {
  private static final String JAR = ".jar";

  private final Set<Path> entries = new LinkedHashSet<>();

  /** Adds the entries of a class path as it is written on a command line. */
  void add(String path) {
    // An empty entry, at the end as well, is the folder that the JVM is started in.
    for (String entry : path.split(File.pathSeparator, -1)) {
      if (entry.equals("*") || entry.endsWith("/*")) {
        addJarsIn(Path.of(entry.substring(0, entry.length() - 1)));
      } else {
        addOne(Path.of(entry));
      }
    }
  }

  /** Those of a module path: a folder on it holds modules, or is one. */
  void addModules(String path) {
    for (String entry : path.split(File.pathSeparator)) {
      if (!entry.isEmpty()) {
        addOne(Path.of(entry));
        addJarsIn(Path.of(entry));
      }
    }
  }

  private void addJarsIn(Path folder) {
    if (!Files.isDirectory(folder.toAbsolutePath())) {
      return;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder.toAbsolutePath())) {
      files.forEach(file -> {
        if (file.toString().toLowerCase(Locale.ROOT).endsWith(JAR)) {
          addOne(file);
        }
      });
    } catch (IOException e) {
      throw new LaunchException("the class path's folder " + folder + " cannot be read: " + e, e);
    }
  }

  private void addOne(Path entry) {
    if (Files.isDirectory(entry.toAbsolutePath())) {
      entries.add(normal(entry));
    } else {
      addJar(entry);
    }
  }

  /** Adds a jar and the entries of its manifest's Class-Path. */
  void addJar(Path jar) {
    if (!Files.isRegularFile(jar) || !entries.add(normal(jar))) {
      return;
    }
    try (JarFile file = new JarFile(jar.toFile())) {
      Manifest manifest = file.getManifest();
      String others = manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
      if (others != null) {
        for (String other : others.trim().split("\\s+")) {
          addNamed(normal(jar).toUri(), other);
        }
      }
    } catch (IOException notAJar) {
      // The JVM passes it over, too.
    }
  }

  private void addNamed(URI by, String address) {
    try {
      URI other = by.resolve(address);
      if ("file".equals(other.getScheme())) {
        addOne(Path.of(other));
      }
    } catch (IllegalArgumentException noAddress) {
      // The JVM passes it over, too.
    }
  }

  private static Path normal(Path path) {
    return path.toAbsolutePath().normalize();
  }

  List<ClassPathEntry> entries() {
    return entries.stream().map(ClassPathEntry::new).toList();
  }
}
