// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.kintsugi.checkpoint.engine.CheckpointException;
import org.kintsugi.checkpoint.engine.Engine;
import org.kintsugi.checkpoint.engine.Image;
import org.kintsugi.checkpoint.engine.Version;
import org.kintsugi.checkpoint.internal.AllOrNone;
import org.kintsugi.checkpoint.internal.GatheredNumbers;
import org.kintsugi.checkpoint.internal.RunOrdinal;
import org.kintsugi.checkpoint.internal.files.CheckpointFile.DamagedException;
import org.kintsugi.checkpoint.internal.files.CheckpointFile.Header;
import org.kintsugi.checkpoint.internal.image.ComposedImage;
import org.kintsugi.checkpoint.internal.image.ImageMemory;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.internal.files.OwnerOnly;
import org.kintsugi.runtime.Setting;

/**
 * One {@link CheckpointFile} per rank and slot, of which there are two, in a folder that all nodes share: survives the loss of
 * nodes and of the whole job.
 *
 * <p>No file is written or removed in the folder before rank 0 has the folder's lock and all ranks
 * know that: another job may be using it. A save goes to the slot that does not hold the last
 * version that is complete on every rank. A version counts when every rank has its file. A rank's
 * files that are newer than the newest such version are removed before the program goes on from it.
 * When the program begins anew, all files are removed, and that is synced before the first save:
 * until then a restarted job would go on from them. A {@link FileWriting} writes each file, in the
 * background for {@code saveAsync}; a recovery abandons it.
 *
 * <p>A process writes only to files that it has made, under names of its own ({@link RankFiles}):
 * so a process that was declared failed, but still runs, cannot damage files of its replacement.
 */
public final class FileEngine implements Engine {
  private static final int SLOTS = FileSurvey.SLOTS;

  private final Path base; // of all runs
  private Path folder; // of this one
  private final String option; // which sets the folder, for messages
  private final Setting kept; // the number of finished runs whose versions stay
  private final FolderLock lock;
  private final Header[] slots = new Header[SLOTS];
  private ImageMemory room = new ImageMemory();
  private ImageMemory scratch = new ImageMemory();
  private Buf fetched;
  /** Versions that every rank has, as far as is known. */
  private final TreeSet<Version> complete = new TreeSet<>();
  /** Whether this job has the folder to itself; the same on all ranks. */
  private boolean claimed;
  /** Whether this epoch has looked for versions, and found no folder; the same on all ranks. */
  private boolean noFolder;
  private FileWriting writing;
  private int writtenSlot;
  /** Slots with files to which writers of earlier epochs may still write: of no use, until they are removed. */
  private final boolean[] leftBehind = new boolean[SLOTS];
  /** The slots' files that this process has made; null where it has made none. */
  private final RawFile[] own = new RawFile[SLOTS];
  private RankFiles files;
  private long ordinal = RunOrdinal.FIRST;
  private Comm world;
  private boolean isRankZero;

  /** In the folder that the first setting names. The second is the number of finished runs whose versions are kept. */
  public FileEngine(Setting folder, Setting keptRuns) {
    base = Path.of(folder.value()).toAbsolutePath();
    this.folder = base;
    option = "-D" + folder.property();
    kept = keptRuns;
    RunFolders.lastRemoved(ordinal, kept); // refuses a wrong setting before there is work to lose
    files = new RankFiles(base, SLOTS);
    lock = new FolderLock(base, option);
  }

  @Override
  public String name() {
    return "file";
  }

  @Override
  public void bind(Comm newWorld) {
    if (writing != null) {
      writing.cutOff();
    }
    world = newWorld;
    isRankZero = newWorld.rank() == 0;
    // Its rank 0 may be another process, which has not the lock.
    claimed = false;
    noFolder = false;
    complete.clear();
  }

  /** The lock is on the folder of all runs: no other job comes in between two of them. */
  @Override
  public void ofRun(long newOrdinal) {
    if (newOrdinal != ordinal) {
      settle();
      closeFiles();
      Arrays.fill(slots, null);
      Arrays.fill(leftBehind, false);
      ordinal = newOrdinal;
      folder = RunFolders.of(base, ordinal);
      files = new RankFiles(folder, SLOTS);
    }
  }

  /**
   * Before files are read or written: a file of an old epoch's writer counts if the writer has ended, with an error or not. A
   * recovery does not wait for a disk, so a writer that has not ended is abandoned. Local.
   */
  private void settle() {
    if (writing != null && writing.leaveBehind()) {
      room = new ImageMemory();
      scratch = new ImageMemory();
      slots[writtenSlot] = null;
      leftBehind[writtenSlot] = true;
      own[writtenSlot] = null;
    } else if (writing != null) {
      try {
        slots[writtenSlot] = writing.await();
      } catch (CheckpointException nobodyWantsIt) {
        slots[writtenSlot] = null;
      }
      own[writtenSlot] = writing.file();
    }
    writing = null;
  }

  /**
   * Before the first write of an epoch that has found no folder, or has not searched it: removes its files, which are of no use
   * to this run. But if there was none, another job may have come meanwhile. Collective.
   */
  private void claim() {
    if (claimed) {
      return;
    }
    settle();
    AllOrNone.run(world, () -> {
      if (world.rank() == 0) {
        takeLock();
        if (noFolder) {
          files.requireNone(option);
        }
      }
      findFiles();
    });
    AllOrNone.run(world, () -> {
      makeFolder();
      removeAll();
    });
    claimed = true;
  }

  /**
   * Removes all files, and syncs that, as a loss of power may undo it. Only files that were found
   * before the last collective are removed: this process may have been declared failed since, and
   * then must not touch files of its replacement. Local.
   */
  private void removeAll() {
    boolean anything = false;
    for (int slot = 0; slot < SLOTS; slot++) {
      anything |= remove(slot);
    }
    if (anything) {
      try {
        OwnerOnly.syncFolder(folder);
      } catch (IOException e) {
        throw new CheckpointException("rank " + world.rank() + " cannot have " + folder + " synced, from which it has removed "
            + "an earlier run's files: " + e, e);
      }
    }
  }

  private void findFiles() {
    try {
      files.of(world.rank());
      if (Files.isDirectory(folder)) {
        files.find();
      }
    } catch (IOException e) {
      throw new CheckpointException("rank " + world.rank() + " cannot look into " + folder + ": " + e, e);
    }
  }

  private void makeFolder() {
    try {
      OwnerOnly.makeFolder(folder);
      if (isRankZero && ordinal != RunOrdinal.FIRST) {
        OwnerOnly.syncFolder(base); // a folder that a loss of power removes has all of the run's versions
      }
    } catch (IOException e) {
      throw new CheckpointException("rank " + world.rank() + " cannot write to " + folder + ": " + e, e);
    }
  }

  private void takeLock() {
    try {
      lock.take();
    } catch (IOException e) {
      throw new CheckpointException("rank 0 cannot write to " + folder + ": " + e, e);
    }
  }

  @Override
  public String begin(Version version, Image image, boolean aside) {
    closeFetched();
    claim();
    ComposedImage composed = ComposedImage.from(image);
    ComposedImage source = aside ? composed.copyAside(room) : composed;
    writtenSlot = !complete.isEmpty() && slots[0] != null && slots[0].version().equals(complete.last()) ? 1 : 0;
    if (slots[writtenSlot] != null) {
      complete.remove(slots[writtenSlot].version());
      slots[writtenSlot] = null;
    }
    files.of(world.rank());
    writing = new FileWriting(files, writtenSlot, own[writtenSlot], world.rank(), world.size(), version, source,
        aside ? room : null, scratch);
    return name();
  }

  @Override
  public void end() {
    FileWriting ends = writing;
    writing = null;
    if (ends != null) { // else begin() has failed, and reported it
      try {
        slots[writtenSlot] = ends.await();
      } finally {
        own[writtenSlot] = ends.file();
      }
    }
  }

  @Override
  public void commit(Version version) {
    complete.add(version);
  }

  @Override
  public List<Version> versions(Predicate<Version> wanted) {
    settle();
    long[] mine = new long[FileSurvey.FIELDS];
    String trouble = survey(mine, wanted);
    FileSurvey all = FileSurvey.byAll(world, folder, option, mine);
    all.refuseTrouble(trouble);
    claimed = all.isLocked();
    noFolder = !claimed;
    complete.clear();
    for (int slot = 0; slot < SLOTS; slot++) {
      Version version = Version.of(mine, Version.WORDS * slot);
      if (!version.isNone() && all.isEverywhere(version)) {
        complete.add(version);
      }
    }
    if (complete.isEmpty()) {
      all.tellThatNoneIsComplete();
    }
    return List.copyOf(complete);
  }

  /**
   * Searches this rank's files, and reports the version of each slot.
   *
   * @return the error here; null if there is none
   */
  private String survey(long[] mine, Predicate<Version> wanted) {
    try {
      boolean there = Files.isDirectory(folder);
      if (there) {
        OwnerOnly.requireFolder(folder);
      } else if (Files.exists(folder)) {
        throw new IOException(folder + ": Not a directory");
      }
      mine[FileSurvey.TROUBLE] = there ? 0 : FileSurvey.MISSING;
      if (world.rank() == 0 && there) {
        lock.take();
        mine[FileSurvey.LOCK] = 1;
      }
      files.of(world.rank());
      if (there && !files.wereFound()) {
        files.find();
      }
      for (int slot = 0; slot < SLOTS; slot++) {
        slots[slot] = leftBehind[slot] ? null : look(slot, wanted);
        GatheredNumbers.put(mine, Version.WORDS * slot, slots[slot] == null ? Version.NONE : slots[slot].version());
        if (slots[slot] != null && slots[slot].ranks() != world.size()) {
          mine[FileSurvey.TROUBLE] = slots[slot].ranks();
        }
      }
      return null;
    } catch (IOException e) {
      mine[FileSurvey.TROUBLE] = FileSurvey.UNREADABLE;
      return "rank " + world.rank() + " cannot read the checkpoints in " + folder + ": " + e;
    }
  }

  /** The latest version in a slot's files. Null: no usable one. */
  private Header look(int slot, Predicate<Version> wanted) throws IOException {
    Header latest = null;
    files.use(slot, null);
    for (Path file : files.known(slot)) {
      Header header = look(file, wanted);
      if (header != null && (latest == null || header.version().compareTo(latest.version()) > 0)) {
        latest = header;
        files.use(slot, file);
      }
    }
    return latest;
  }

  private Header look(Path file, Predicate<Version> wanted) throws IOException {
    try {
      Header header = CheckpointFile.header(file);
      if (header != null && header.rank() != world.rank()) {
        throw new DamagedException("it is rank " + header.rank() + "'s");
      }
      if (header != null && !wanted.test(header.version())) {
        throw new DamagedException("its version " + header.version().number() + " is of another run");
      }
      return header;
    } catch (DamagedException e) {
      System.err.println("kintsugi: rank " + world.rank() + " passes over " + file + ": " + e.getMessage());
      return null;
    }
  }

  @Override
  public Buf fetch(Version version) {
    closeFetched();
    int slot = slots[0] != null && slots[0].version().equals(version) ? 0 : 1;
    try {
      fetched = CheckpointFile.image(files.inUse(slot), slots[slot]);
      return fetched;
    } catch (IOException e) {
      throw new CheckpointException(
          "rank " + world.rank() + " cannot read version " + version.number() + " in " + files.inUse(slot) + ": " + e,
          e);
    } catch (DamagedException e) {
      throw new CheckpointException(
          "rank " + world.rank() + " passes over version " + version.number() + " in " + files.inUse(slot) + ": "
              + e.getMessage(),
          e);
    }
  }

  private void closeFetched() {
    if (fetched != null) {
      fetched.close();
      fetched = null;
    }
  }

  @Override
  public void resume(Version version) {
    for (Version saved : List.copyOf(complete)) { // no lambda: all ranks wait for this after a failure
      if (!saved.isKeptWith(version)) {
        complete.remove(saved);
      }
    }
    if (version.isNone()) {
      forgetAll();
      return;
    }
    for (int slot = 0; claimed && slot < SLOTS; slot++) {
      if (slots[slot] == null || !slots[slot].version().isKeptWith(version)) {
        remove(slot);
      } else {
        removeOthers(slot);
      }
    }
  }

  /** The program begins anew, and may not have searched these files. Collective. */
  private void forgetAll() {
    if (claimed) {
      removeAll();
      return;
    }
    if (!noFolder) {
      noFolder = world.allReduce(Files.isDirectory(folder) ? 1L : 0L, Op.MAX) == 0;
    }
    if (!noFolder) {
      claim();
    }
  }

  @Override
  public void rehearse() {
    FileRehearsal.play();
  }

  @Override
  public void drop(long number) {
    if (!claimed) {
      return; // the files may be another job's
    }
    complete.removeIf(saved -> saved.number() == number);
    for (int slot = 0; slot < SLOTS; slot++) {
      if (slots[slot] != null && slots[slot].version().number() == number) {
        remove(slot);
      }
    }
  }

  /** @return whether there was a file */
  private boolean remove(int slot) {
    slots[slot] = null;
    try {
      closeFile(slot);
      boolean wasThere = files.remove(slot);
      leftBehind[slot] = false;
      return wasThere;
    } catch (IOException e) {
      throw cannotRemove(slot, e);
    }
  }

  /** Removes damaged files, and files of a process that was declared failed. */
  private void removeOthers(int slot) {
    try {
      files.removeOthers(slot);
    } catch (IOException e) {
      throw cannotRemove(slot, e);
    }
  }

  private CheckpointException cannotRemove(int slot, IOException reason) {
    return new CheckpointException("rank " + world.rank() + " cannot remove a file of slot " + slot + " in " + folder
        + ", which must not be taken for a part of a version to come: " + reason, reason);
  }

  private void closeFile(int slot) throws IOException {
    RawFile file = own[slot];
    own[slot] = null;
    if (file != null) {
      file.close();
    }
  }

  @Override
  public void close() {
    if (claimed && isRankZero) {
      RunFolders.removeFinished(base, ordinal, kept, RankFiles::isName);
    }
    leave();
  }

  @Override
  public void leave() {
    settle();
    closeFetched();
    closeFiles();
    room.close();
    scratch.close();
    lock.close();
  }

  private void closeFiles() {
    try {
      for (int slot = 0; slot < SLOTS; slot++) {
        closeFile(slot);
      }
    } catch (IOException e) {
      // All that is in them was synced.
    }
  }
}
