// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;

/** A file for a result: looked at before the work, written after it, under a temporary name at first. */
public final class OutputFile {
  private static final String SUFFIX = ".tmp";

  private OutputFile() {}

  /** The temporary name. */
  static Path aside(Path file) {
    return file.resolveSibling(file.getFileName() + SUFFIX);
  }

  /** Why it cannot be written; null: it can. */
  static String refusal(Path file) {
    if (file.getFileName() == null || file.toString().isEmpty()) {
      return "this names no file";
    }
    Path folder = file.toAbsolutePath().getParent();
    if (!Files.isDirectory(folder)) {
      return "there is no folder " + folder;
    }
    for (Path one : new Path[] {file, aside(file)}) {
      if (Files.isDirectory(one)) {
        return (one == file ? "this" : one + ", its temporary name,") + " is a folder";
      }
      if (Files.exists(one) && !Files.isRegularFile(one)) {
        return (one == file ? "this" : one + ", its temporary name,") + " is no regular file, and would be replaced by one";
      }
    }
    return refusalByTrial(file, folder);
  }

  /**
   * Tries to write: permissions do not tell, as even root cannot write in /proc. All processes may
   * try at once, so each has another file name.
   */
  private static String refusalByTrial(Path file, Path folder) {
    try {
      Files.deleteIfExists(Files.createTempFile(folder, ".kintsugi-", SUFFIX));
    } catch (IOException e) {
      return "folder " + folder + " cannot be written to (" + e + ")";
    }
    try {
      Files.readAttributes(aside(file), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return null;
    } catch (NoSuchFileException e) {
      return null;
    } catch (IOException e) { // it is too long, for one
      return "the name is refused (" + e + ")";
    }
  }

  /** Writes it under its temporary name and renames it, so that nobody sees a part of it. */
  public static void write(Path file, String text) throws IOException {
    Path aside = aside(file);
    try {
      Files.writeString(aside, text);
      Files.move(aside, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(aside);
    }
  }
}
