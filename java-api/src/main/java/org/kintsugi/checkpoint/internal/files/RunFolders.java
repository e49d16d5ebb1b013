// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.files;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.kintsugi.checkpoint.internal.RunOrdinal;
import org.kintsugi.runtime.Setting;

/**
 * The folders of a program's runs inside a folder for versions.
 *
 * <p>The first run's versions are in the folder itself, where versions of programs with a single run have always been. Run n has
 * {@code run-n} in it.
 */
public final class RunFolders {
  private static final String PREFIX = "run-";
  /** No run has an ordinal of more digits. */
  private static final int MOST_DIGITS = 18;
  private static final AtomicBoolean TOLD = new AtomicBoolean();

  private RunFolders() {}

  /** The folder of a run. */
  public static Path of(Path base, long ordinal) {
    return ordinal == RunOrdinal.FIRST ? base : base.resolve(PREFIX + ordinal);
  }

  /** The ordinal in the name of a later run's folder; 0: it is not one. */
  public static long ordinalOf(String name) {
    String digits = name.startsWith(PREFIX) ? name.substring(PREFIX.length()) : "";
    boolean isNumber = !digits.isEmpty() && digits.length() <= MOST_DIGITS && digits.chars().allMatch(c -> c >= '0' && c <= '9');
    return isNumber ? Long.parseLong(digits) : 0;
  }

  /**
   * The newest run whose versions are removed when another one has ended.
   *
   * @param ordinal of the run that has ended
   * @param kept the number of finished runs whose versions are kept
   * @return its ordinal; 0: none is
   * @throws IllegalArgumentException if the number is less than 1
   */
  public static long lastRemoved(long ordinal, Setting kept) {
    if (kept.longValue() < 1) {
      throw new IllegalArgumentException("-D" + kept.property() + "=" + kept.value()
          + ": the number of finished runs whose versions are kept is 1 or greater");
    }
    return Math.max(0, ordinal - kept.longValue());
  }

  /**
   * Removes the versions of runs up to an ordinal, and nothing else: the program may have files of its own in the folder, and
   * folders with such names. Several processes may do so at once.
   *
   * @param isVersion names of files and folders that versions are made of, in the folder of any run
   */
  public static void removeUpTo(Path base, long last, Predicate<String> isVersion) throws IOException {
    if (last < RunOrdinal.FIRST) {
      return;
    }
    removeIn(base, isVersion);
    for (String name : names(base)) {
      long ordinal = ordinalOf(name);
      Path folder = base.resolve(name);
      if (ordinal > RunOrdinal.FIRST && ordinal <= last && Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
        removeIn(folder, isVersion);
        removeIfEmpty(folder);
      }
    }
  }

  private static void removeIn(Path folder, Predicate<String> isVersion) throws IOException {
    for (String name : names(folder)) {
      if (isVersion.test(name)) {
        removeTree(folder.resolve(name));
      }
    }
  }

  /** The names in a folder; none if the folder does not exist. */
  public static List<String> names(Path folder) throws IOException {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      entries.forEach(entry -> names.add(entry.getFileName().toString()));
    } catch (NoSuchFileException | NotDirectoryException none) {
      return List.of();
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return names;
  }

  /**
   * Removes the versions of the oldest finished runs, and says so once in a job. For rank 0, when a run has ended.
   *
   * @param ordinal of the run that has ended
   * @param kept the number of finished runs whose versions are kept
   * @param isVersion names of files and folders that versions are made of, in the folder of any run
   */
  public static void removeFinished(Path base, long ordinal, Setting kept, Predicate<String> isVersion) {
    long last = lastRemoved(ordinal, kept);
    if (last < RunOrdinal.FIRST) {
      return;
    }
    try {
      removeUpTo(base, last, isVersion);
    } catch (IOException e) {
      tellTrouble(base, e);
      return;
    }
    if (!TOLD.getAndSet(true)) {
      System.err.println("kintsugi: " + base + " keeps the versions of " + kept.value() + " finished runs (-D" + kept.property()
          + "); older ones are removed. A job that is started again computes those runs once more");
    }
  }

  /** Says that versions could not be removed: they take space, and do no other harm. */
  public static void tellTrouble(Path base, IOException trouble) {
    System.err.println("kintsugi: versions of finished runs in " + base + " cannot be removed: " + trouble);
  }

  /** Removes a file, or a folder with all that is in it, but for what other processes put there meanwhile. */
  public static void removeTree(Path root) throws IOException {
    if (!Files.exists(root)) {
      return;
    }
    Files.walkFileTree(root, new SimpleFileVisitor<Path>() {
      @Override
      public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
        Files.deleteIfExists(file);
        return FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
        if (failure instanceof NoSuchFileException) {
          return FileVisitResult.CONTINUE; // another process was quicker
        }
        throw failure;
      }

      @Override
      public FileVisitResult postVisitDirectory(Path folder, IOException failure) throws IOException {
        removeIfEmpty(folder);
        return FileVisitResult.CONTINUE;
      }
    });
  }

  /** Removes a folder that may still have files of other processes, which these remove. */
  public static void removeIfEmpty(Path folder) throws IOException {
    try {
      Files.deleteIfExists(folder);
    } catch (DirectoryNotEmptyException e) {
      // The last process succeeds.
    }
  }
}
