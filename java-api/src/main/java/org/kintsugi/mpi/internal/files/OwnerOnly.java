// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Files and folders that only their owner can read or replace. They are made so, or checked before
 * they are used.
 *
 * <p>Many of their names can be guessed (in {@code /tmp} and {@code /dev/shm}), so another user may
 * have made one first. Each must belong to this process's user. A folder must not be writable by
 * others. Others' rights to a file are removed; a link in place of a file is refused. A link in a
 * folder's place is followed only if it is the user's own. And on the path to a folder, each entry
 * of a folder that everybody may write must belong to the user, or to root.
 *
 * <p>The folder ensures that others cannot replace a file between the check and the use, so the
 * folder must be checked first.
 */
public final class OwnerOnly {
  private static final FileAttribute<?> FOLDER = permissions("rwx------");
  private static final String FILE_RIGHTS = "rw-------";
  private static final FileAttribute<?> FILE = permissions(FILE_RIGHTS);

  private static final int KIND = 0170000;
  private static final int IS_FOLDER = 0040000;
  private static final int IS_FILE = 0100000;
  private static final int IS_LINK = 0120000;
  private static final int OTHERS = 0077;
  private static final int OTHERS_WRITE = 0022;
  private static final int EVERYBODY_WRITES = 0002;
  private static final int ONLY_OWNERS_REMOVE = 01000;
  private static final int ROOT = 0;

  private OwnerOnly() {}

  private static FileAttribute<Set<PosixFilePermission>> permissions(String permissions) {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
  }

  /** This process's user, whose number new files get. */
  private static final class User {
    private static final int NUMBER = effective();

    private static int effective() {
      try {
        String line =
            Files.readAllLines(Path.of("/proc/self/status")).stream().filter(text -> text.startsWith("Uid:")).findFirst()
                .orElseThrow(() -> new IOException("it names no user"));
        return Integer.parseUnsignedInt(line.split("\\s+")[2]);
      } catch (IOException e) {
        throw new IllegalStateException("cannot find out which user this process is, from /proc/self/status", e);
      }
    }
  }

  /** Owner and mode of a path itself, not of a link's target. */
  private record Found(int owner, int mode) {
    static Found at(Path path, LinkOption... options) throws IOException {
      Map<String, Object> attributes = Files.readAttributes(path, "unix:uid,mode", options);
      return new Found((Integer) attributes.get("uid"), (Integer) attributes.get("mode"));
    }

    boolean is(int kind) {
      return (mode & KIND) == kind;
    }

    boolean isOurs() {
      return owner == User.NUMBER;
    }
  }

  /** Makes a folder and its parents; checks those that exist. */
  public static void makeFolder(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder, FOLDER);
    }
    requireFolder(folder);
  }

  /** @throws IOException if others may write to the folder, or it does not exist */
  public static void requireFolder(Path folder) throws IOException {
    Path absolute = folder.toAbsolutePath();
    requireWay(absolute);
    if (Found.at(absolute, LinkOption.NOFOLLOW_LINKS).is(IS_LINK)) {
      requireOurs(absolute, Found.at(absolute, LinkOption.NOFOLLOW_LINKS));
    }
    // Any part of the path may be a link.
    requireWay(absolute.toRealPath());
    Found found = Found.at(absolute);
    requireOurs(absolute, found);
    if (!found.is(IS_FOLDER)) {
      throw new IOException(folder + " is no folder");
    }
    if ((found.mode & OTHERS_WRITE) != 0) {
      throw new IOException(folder + " can be written by other users, who could replace files in it: take that right away "
          + "(chmod go-w " + folder + "), or name another folder");
    }
  }

  /**
   * Checks the path to a folder. In a folder that everybody may write, any user may own an entry
   * with a guessed name.
   */
  private static void requireWay(Path absolute) throws IOException {
    Path above = absolute.getRoot();
    for (Path step : absolute) {
      Path next = above.resolve(step);
      int mode = Found.at(above).mode;
      if ((mode & EVERYBODY_WRITES) != 0 && (mode & ONLY_OWNERS_REMOVE) == 0) {
        throw new IOException(above + " can be written by everybody, and anybody could put another folder in the place of " + next
            + ": set its sticky bit (chmod +t " + above + "), or name another folder");
      }
      if ((mode & EVERYBODY_WRITES) != 0) {
        Found found = Found.at(next, LinkOption.NOFOLLOW_LINKS);
        if (found.owner != ROOT) {
          requireOurs(next, found);
        }
      }
      above = next;
    }
  }

  private static void requireOurs(Path path, Found found) throws IOException {
    if (!found.isOurs()) {
      throw new IOException(path + " belongs to the user with the number " + Integer.toUnsignedString(found.owner)
          + ", and this process is user " + Integer.toUnsignedString(User.NUMBER)
          + "'s: another user could read or exchange what is in it. Name another folder");
    }
  }

  /**
   * Checks a file before it is opened, and removes the rights of others.
   *
   * @throws NoSuchFileException if the file does not exist
   * @throws IOException if it is not a regular file, is a link, or belongs to another user
   */
  public static void requireFile(Path file) throws IOException {
    Found found = Found.at(file, LinkOption.NOFOLLOW_LINKS);
    if (found.is(IS_LINK)) {
      throw new IOException(
          file + " is a symbolic link, and must be a file: it may lead to what is none of the job's. Remove it");
    }
    requireOurs(file, found);
    if (!found.is(IS_FILE)) {
      throw new IOException(file + " is no file");
    }
    if ((found.mode & OTHERS) != 0) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(FILE_RIGHTS));
    }
  }

  /** As {@link #requireFile}, but a missing file is no error. */
  public static void requireFileIfAny(Path file) throws IOException {
    try {
      requireFile(file);
    } catch (NoSuchFileException none) {
      // The caller makes it.
    }
  }

  /** Makes a file that must not exist. */
  public static void makeFile(Path file) throws IOException {
    Files.createFile(file, FILE);
  }

  /** Opens a file, after a check if it exists. */
  public static FileChannel open(Path file, OpenOption... options) throws IOException {
    requireFileIfAny(file);
    Set<OpenOption> all = new HashSet<>(Arrays.asList(options));
    all.add(LinkOption.NOFOLLOW_LINKS);
    return FileChannel.open(file, all, FILE);
  }

  /** Reads a file. */
  public static byte[] read(Path file) throws IOException {
    try (InputStream bytes = Channels.newInputStream(open(file, StandardOpenOption.READ))) {
      return bytes.readAllBytes();
    }
  }

  /**
   * Replaces a file's contents. If this process fails, the file has all of the new contents, or the
   * old ones.
   */
  public static void replace(Path file, byte... contents) throws IOException {
    replace(file, ".new", contents);
  }

  /**
   * As {@link #replace}, for several processes at once. Each has a suffix of its own for the
   * incomplete file.
   */
  public static void replace(Path file, String suffix, byte... contents) throws IOException {
    Path aside = file.resolveSibling(file.getFileName() + suffix);
    Files.deleteIfExists(aside);
    try (FileChannel out = open(aside, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)) {
      ByteBuffer bytes = ByteBuffer.wrap(contents);
      while (bytes.hasRemaining()) {
        out.write(bytes);
      }
    }
    Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Writes a folder's entries to the disk, and returns when that is done. */
  public static void syncFolder(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
