// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Files and folders that nobody but their owner can read. */
public final class OwnerOnly {
  private static final FileAttribute<?> FOLDER = permissions("rwx------");
  private static final FileAttribute<?> FILE = permissions("rw-------");

  private OwnerOnly() {}

  private static FileAttribute<?> permissions(String permissions) {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
  }

  /** Makes a folder, and those above it; those that are there stay as they are. */
  public static void makeFolder(Path folder) throws IOException {
    Files.createDirectories(folder, FOLDER);
  }

  /** Makes a file that must not be there. */
  public static void makeFile(Path file) throws IOException {
    Files.createFile(file, FILE);
  }

  /** Opens a file; if the options make it, it is its owner's only. */
  public static FileChannel open(Path file, OpenOption... options) throws IOException {
    return FileChannel.open(file, Set.of(options), FILE);
  }

  /** A file's new contents: all of them or the older ones, whenever this process dies. */
  public static void replace(Path file, byte... contents) throws IOException {
    replace(file, ".new", contents);
  }

  /** The same where several processes may do so at once, each with a suffix of its own for what is not whole yet. */
  public static void replace(Path file, String suffix, byte... contents) throws IOException {
    Path aside = file.resolveSibling(file.getFileName() + suffix);
    Files.deleteIfExists(aside);
    makeFile(aside);
    Files.write(aside, contents);
    Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
