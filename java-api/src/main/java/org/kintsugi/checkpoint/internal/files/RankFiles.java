// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.files;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.kintsugi.checkpoint.engine.Attempt;
import org.kintsugi.checkpoint.engine.CheckpointException;

/**
 * The files of one rank in a folder that all nodes share, by slot, of all processes that have had this rank.
 *
 * <p>Each process has file names of its own ({@code rank-00001.MARK.0.ckpt}: rank, process, slot).
 * A process that was declared failed, but was only stopped or cut off, may go on at any moment,
 * even after it has listed the folder and before it acts on that. It then makes, writes or removes
 * only its own files or older ones, never those of its replacement. So a slot may have several
 * files: the file of the latest attempt counts, and the others are removed before the slot is
 * written again.
 */
final class RankFiles {
  /** The end of the files' names. */
  static final String SUFFIX = ".ckpt";

  private static final Pattern NAME = Pattern.compile("rank-\\d{5,}\\.[0-9a-f]{16}\\.\\d\\" + SUFFIX);
  private static final int NOBODY = -1;

  private final Path folder;
  private final String mark = String.format("%016x", new SplittableRandom().nextLong());
  private final List<List<Path>> known;
  private final Path[] inUse;
  private int rank = NOBODY;
  private boolean found;

  RankFiles(Path folder, int slots) {
    this.folder = folder;
    known = IntStream.range(0, slots).mapToObj(slot -> (List<Path>) new ArrayList<Path>()).toList();
    inUse = new Path[slots];
  }

  /** Whether a file with this name is of any rank and process. */
  static boolean isName(String name) {
    return NAME.matcher(name).matches();
  }

  /** Sets the rank of the files; those of another rank must be searched for anew. */
  void of(int newRank) {
    if (rank != newRank) {
      rank = newRank;
      forget();
    }
  }

  private void forget() {
    found = false;
    known.forEach(List::clear);
    Arrays.fill(inUse, null);
  }

  /** Searches for all files of the rank. */
  void find() throws IOException {
    forget();
    refreshListing();
    for (int slot = 0; slot < known.size(); slot++) {
      known.get(slot).addAll(list(slot));
    }
    found = true;
  }

  /** Whether this rank's files are known; files that other processes may have added since do not count, and do no harm. */
  boolean wereFound() {
    return found;
  }

  /**
   * Clients of NFS cache the listing of a folder for up to a minute, so that a file that was made on another host may be missed.
   * They read it anew after they have changed the folder themselves. (From the documentation of NFS; not tried on one.)
   */
  private void refreshListing() throws IOException {
    if (Files.getFileStore(folder).type().startsWith("nfs")) {
      try {
        Files.deleteIfExists(Files.createFile(folder.resolve("look." + mark)));
      } catch (IOException readOnly) {
        // No file is being made here.
      }
    }
  }

  private List<Path> list(int slot) throws IOException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, name(slot, "*"))) {
      all.forEach(files::add);
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    files.sort(null);
    return files;
  }

  private String name(int slot, String whose) {
    return String.format(Locale.ROOT, "rank-%05d.%s.%d" + SUFFIX, rank, whose, slot);
  }

  /** The file that this process writes to. */
  Path own(int slot) {
    return folder.resolve(name(slot, mark));
  }

  /** All known files, in the order of their names. */
  List<Path> known(int slot) {
    return known.get(slot);
  }

  /** Sets the file that counts; null: none. */
  void use(int slot, Path file) {
    inUse[slot] = file;
  }

  /** The file that counts; this process's own where there is none. */
  Path inUse(int slot) {
    return inUse[slot] == null ? own(slot) : inUse[slot];
  }

  /** Before this process's own file is written: removes all others of the slot. */
  void replaceByOwn(int slot) throws IOException {
    Path own = own(slot);
    removeAllBut(slot, own);
    if (known.get(slot).isEmpty()) {
      known.get(slot).add(own);
    }
    inUse[slot] = own;
  }

  /** Removes the files of a slot that do not count. */
  void removeOthers(int slot) throws IOException {
    removeAllBut(slot, inUse[slot]);
  }

  /**
   * Removes all files of a slot.
   *
   * @return whether there were any
   */
  boolean remove(int slot) throws IOException {
    inUse[slot] = null;
    return removeAllBut(slot, null);
  }

  private boolean removeAllBut(int slot, Path stays) throws IOException {
    boolean any = false;
    List<Path> files = known.get(slot);
    for (Path file : List.copyOf(files)) {
      if (!file.equals(stays)) {
        any |= Files.deleteIfExists(file);
        files.remove(file);
      }
    }
    return any;
  }

  /**
   * Checks that this process was not replaced.
   *
   * @throws IOException if a process of a later attempt has a file: this process was declared
   *     failed, and must not save any more
   */
  void requireNoneOfLater(Attempt attempt) throws IOException {
    for (int slot = 0; slot < known.size(); slot++) {
      for (Path file : list(slot)) {
        Attempt found = CheckpointFile.attempt(file);
        if (found != null && found.compareTo(attempt) > 0) {
          throw new IOException(file + ": another process has taken this one's place, and has saved there");
        }
      }
    }
  }

  /** For rank 0: refuses a folder in which any rank has files; the option gives the job another folder. */
  void requireNone(String option) {
    try (DirectoryStream<Path> others = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
      for (Path file : others) {
        throw new CheckpointException(
            "rank 0 will not write to " + folder + ": when this job began there was no such folder, and "
                + "now " + file + " is there, which must be another job's; give each a folder of its own with "
                + option);
      }
    } catch (NoSuchFileException none) {
      return;
    } catch (IOException | DirectoryIteratorException e) {
      throw new CheckpointException("rank 0 cannot look into " + folder + ": " + e, e);
    }
  }
}
