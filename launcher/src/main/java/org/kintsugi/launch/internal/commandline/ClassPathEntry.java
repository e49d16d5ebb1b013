// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.commandline;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;

/**
 * A folder or a jar on a class path.
 *
 * <p>All questions about the content of a class path are answered here, for folders and jars alike. A file that is no jar has no
 * content: a JVM passes it over, too.
 *
 * @param path of the folder or jar
 */
public record ClassPathEntry(Path path) {
  private static final int MOST_FOLDERS = 12;

  /** Whether it is a folder. */
  public boolean isFolder() {
    return Files.isDirectory(path);
  }

  /** Those of some files that it has. */
  public List<String> which(Collection<String> files) {
    if (isFolder()) {
      return files.stream().filter(file -> Files.exists(path.resolve(file))).toList();
    }
    try (JarFile jar = new JarFile(path.toFile())) {
      return files.stream().filter(file -> jar.getEntry(file) != null).toList();
    } catch (IOException notAJar) {
      return List.of();
    }
  }

  /** Whether it has a file. */
  public boolean has(String file) {
    return !which(List.of(file)).isEmpty();
  }

  /** Whether it is a jar that has a file, and forms of its classes for newer Javas. */
  boolean hasForNewerJavas(String file) {
    if (isFolder()) {
      return false;
    }
    try (JarFile jar = new JarFile(path.toFile())) {
      return jar.isMultiRelease() && jar.getEntry(file) != null;
    } catch (IOException notAJar) {
      return false;
    }
  }

  /**
   * The first bytes of a file.
   *
   * @param most the number of bytes at most
   * @return null: it does not have the file
   * @throws IOException if this user cannot read it
   */
  byte[] read(String file, int most) throws IOException {
    if (isFolder()) {
      if (!Files.isRegularFile(path.resolve(file))) {
        return null;
      }
      try (InputStream bytes = Files.newInputStream(path.resolve(file))) {
        return bytes.readNBytes(most);
      }
    }
    try (JarFile jar = new JarFile(path.toFile())) {
      ZipEntry found = jar.getEntry(file);
      return found == null ? null : jar.getInputStream(found).readNBytes(most);
    } catch (ZipException notAJar) {
      return null;
    }
  }

  /** The first file whose name, from the top of the entry, is wanted; null if it has none, or cannot be read. */
  String find(Predicate<String> isWanted) {
    if (isFolder()) {
      try (Stream<Path> files = Files.walk(path, MOST_FOLDERS)) {
        return files.map(file -> path.relativize(file).toString()).filter(isWanted).findFirst().orElse(null);
      } catch (IOException | UncheckedIOException unreadable) {
        return null;
      }
    }
    try (JarFile jar = new JarFile(path.toFile())) {
      return jar.stream().map(ZipEntry::getName).filter(isWanted).findFirst().orElse(null);
    } catch (IOException notAJar) {
      return null;
    }
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
