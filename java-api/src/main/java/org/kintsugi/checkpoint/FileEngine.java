// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.kintsugi.checkpoint.CheckpointFile.DamagedException;
import org.kintsugi.checkpoint.CheckpointFile.Header;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.MpiConfig;
import org.kintsugi.mpi.internal.OwnerOnly;
import org.kintsugi.mpi.internal.Reason;

/**
 * One {@link CheckpointFile} per rank and slot, of which there are two, in a folder that all nodes share: survives the loss of
 * nodes and of the whole job.
 *
 * <p>Nothing is written or removed in the folder before rank 0 has its lock and all know that: another job may be using it. A
 * save goes to the slot that does not hold the last version that is complete on every rank. A version counts when every rank has
 * its file. What a rank has beyond the newest of those is removed before the program goes on from it: the next attempt
 * at that number may be cut short as well, and then the file would pass for a part of that. Writing is done by a thread of its
 * own and touches no MPI, so that {@link Checkpoint#saveAsync} has it in the background.
 */
final class FileEngine implements Engine {
  private static final int SLOTS = 2;
  /**
   * What a rank tells: the versions in its slots, whether it has the lock, and its trouble, which is 0, {@link #UNREADABLE},
   * {@link #MISSING} or the ranks of another world.
   */
  private static final int FIELDS = SLOTS + 2;
  private static final int LOCK = SLOTS;
  private static final int TROUBLE = SLOTS + 1;
  private static final long UNREADABLE = -1;
  private static final long MISSING = -2;

  private final Path folder;
  private final FolderLock lock;
  private final Header[] slots = new Header[SLOTS];
  private final Room room = new Room();
  private final Room scratch = new Room();
  private Buf fetched;
  /** Versions that every rank has, as far as is known. */
  private final TreeSet<Long> complete = new TreeSet<>();
  /** Whether this job has the folder to itself; the same on all ranks. */
  private boolean claimed;
  /** Whether this epoch has looked for versions, and found no folder; the same on all ranks. */
  private boolean noFolder;
  private FutureTask<Header> writing;
  /** Tells the writer that nobody waits any more for what it writes. */
  private volatile boolean cutOff;
  private int writtenSlot;
  private Comm world;

  FileEngine(Path folder) {
    this.folder = folder.toAbsolutePath();
    lock = new FolderLock(this.folder, "-D" + MpiConfig.CHECKPOINT_DIR.property());
  }

  @Override
  public String name() {
    return "file";
  }

  @Override
  public void bind(Comm newWorld) {
    cutOff = true;
    world = newWorld;
    // Its rank 0 may be another process, which has not the lock.
    claimed = false;
    noFolder = false;
    complete.clear();
  }

  /** Before files are looked at or written: what an old epoch's writer still does is over, well or not. Local. */
  private void settle() {
    if (writing != null) {
      awaitWriter();
      writing = null;
    }
    cutOff = false;
  }

  /**
   * Before the first write of an epoch that has found no folder, or has not looked: what is in there is of no use to this run.
   * But where none was, another job may have come meanwhile. Collective.
   */
  private void claim() {
    if (claimed) {
      return;
    }
    settle();
    Checkpoint.everywhere(world, () -> {
      if (world.rank() == 0) {
        takeLock();
        if (noFolder) {
          refuseOthersFiles();
        }
      }
    });
    // All have removed theirs before any rank's new file could make a version of it complete.
    Checkpoint.everywhere(world, () -> {
      for (int slot = 0; slot < SLOTS; slot++) {
        remove(slot);
      }
    });
    claimed = true;
  }

  private void takeLock() {
    try {
      lock.take();
    } catch (IOException e) {
      throw new CheckpointException("rank 0 cannot write to " + folder + ": " + e, e);
    }
  }

  private void refuseOthersFiles() {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.ckpt")) {
      for (Path file : files) {
        throw new CheckpointException(
            "rank 0 will not write to " + folder + ": when this job began there was no such folder, and "
                + "now " + file + " is there, which must be another job's; give each a folder of its own with -D"
                + MpiConfig.CHECKPOINT_DIR.property());
      }
    } catch (IOException | DirectoryIteratorException e) {
      throw new CheckpointException("rank 0 cannot look into " + folder + ": " + e, e);
    }
  }

  private Path file(int slot) {
    return folder.resolve(String.format("rank-%05d.%d.ckpt", world.rank(), slot));
  }

  @Override
  public String begin(long version, Image image, boolean aside) {
    closeFetched();
    claim();
    Image source = aside ? image.copyAside(room) : image;
    writtenSlot = !complete.isEmpty() && slots[0] != null && slots[0].version() == complete.last() ? 1 : 0;
    if (slots[writtenSlot] != null) {
      complete.remove(slots[writtenSlot].version());
      slots[writtenSlot] = null;
    }
    Path target = file(writtenSlot);
    int rank = world.rank();
    int ranks = world.size();
    writing = new FutureTask<>(() -> write(target, rank, ranks, version, source));
    Thread writer = new Thread(writing, "kintsugi-checkpoint-writer");
    writer.setDaemon(true);
    writer.start();
    return name();
  }

  /** In the writer's thread. */
  private Header write(Path target, int rank, int ranks, long version, Image image) {
    try {
      OwnerOnly.makeFolder(folder);
      return CheckpointFile.write(target, rank, ranks, version, image, scratch, () -> cutOff);
    } catch (IOException e) {
      CheckpointException failure = new CheckpointException("rank " + rank + " cannot write version " + version + " to " + target
          + ": " + e + "; the version before it is kept", e);
      try {
        // If it was the last sync that failed, it looks whole, and would pass for a part of the next attempt at this version.
        Files.deleteIfExists(target);
      } catch (IOException stays) {
        failure.addSuppressed(stays);
      }
      throw failure;
    }
  }

  @Override
  public void end() {
    if (writing == null) {
      return; // begin() has failed, and told so
    }
    Throwable trouble = awaitWriter();
    writing = null;
    if (trouble instanceof CheckpointException) {
      throw (CheckpointException) trouble;
    }
    if (trouble != null) {
      throw new CheckpointException("the writer of a checkpoint failed: " + trouble, trouble);
    }
  }

  /** What went wrong in the writer; null if nothing did, and then the slot has what it has written. */
  private Throwable awaitWriter() {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          slots[writtenSlot] = writing.get();
          return null;
        } catch (InterruptedException e) {
          // It ends by itself, and soon if nobody wants what it writes.
          interrupted = true;
        } catch (ExecutionException e) {
          return e.getCause();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void commit(long version) {
    complete.add(version);
  }

  @Override
  public long[] versions() {
    settle();
    long[] mine = new long[FIELDS];
    String trouble = survey(mine);
    Told all = Told.byAll(world, mine);
    refuseTrouble(trouble, all);
    claimed = all.of(0, LOCK) != 0;
    noFolder = !claimed;
    complete.clear();
    for (int slot = 0; slot < SLOTS; slot++) {
      if (mine[slot] != NONE && isEverywhere(mine[slot], all)) {
        complete.add(mine[slot]);
      }
    }
    tellIfNoneIsComplete(all);
    return complete.stream().mapToLong(Long::longValue).toArray();
  }

  /** Looks at this rank's files and says what each slot has. @return what is wrong here; null if nothing is */
  private String survey(long[] mine) {
    try {
      boolean there = Files.isDirectory(folder);
      mine[TROUBLE] = there ? 0 : MISSING;
      if (world.rank() == 0 && there) {
        lock.take();
        mine[LOCK] = 1;
      }
      for (int slot = 0; slot < SLOTS; slot++) {
        slots[slot] = look(slot);
        mine[slot] = slots[slot] == null ? NONE : slots[slot].version();
        if (slots[slot] != null && slots[slot].ranks() != world.size()) {
          mine[TROUBLE] = slots[slot].ranks();
        }
      }
      return null;
    } catch (IOException e) {
      mine[TROUBLE] = UNREADABLE;
      return "rank " + world.rank() + " cannot read the checkpoints in " + folder + ": " + e;
    }
  }

  private Header look(int slot) throws IOException {
    try {
      Header header = CheckpointFile.header(file(slot));
      if (header != null && header.rank() != world.rank()) {
        throw new DamagedException("it is rank " + header.rank() + "'s");
      }
      return header;
    } catch (DamagedException e) {
      System.err.println("kintsugi: rank " + world.rank() + " passes over " + file(slot) + ": " + e.getMessage());
      return null;
    }
  }

  private void refuseTrouble(String mine, Told all) {
    List<Integer> missing = new ArrayList<>();
    for (int rank = 0; rank < world.size(); rank++) {
      long trouble = all.of(rank, TROUBLE);
      if (trouble == UNREADABLE) {
        throw new CheckpointException(Reason.agree(world, mine));
      }
      if (trouble == MISSING) {
        missing.add(rank);
      } else if (trouble != 0) {
        throw new CheckpointException("rank " + rank + "'s checkpoint in " + folder + " was written by one of " + trouble
            + " ranks, and the world has " + world.size() + ": restart with as many, or use another folder (-D"
            + MpiConfig.CHECKPOINT_DIR.property() + ")");
      }
    }
    if (!missing.isEmpty() && ranksWithout(all).size() < world.size()) {
      throw new CheckpointException(
          "rank(s) " + missing + " see no folder " + folder + ", in which others have versions: it has to be "
              + "on a file system that all nodes share (-D" + MpiConfig.CHECKPOINT_DIR.property()
              + "); nothing in it was changed");
    }
  }

  /** The ranks that have no version at all. */
  private List<Integer> ranksWithout(Told all) {
    List<Integer> without = new ArrayList<>();
    for (int rank = 0; rank < world.size(); rank++) {
      if (all.of(rank, 0) == NONE && all.of(rank, 1) == NONE) {
        without.add(rank);
      }
    }
    return without;
  }

  /** Not an exception: a job that ended inside its first save leaves that behind. But files may have been lost, too. */
  private void tellIfNoneIsComplete(Told all) {
    List<Integer> without = ranksWithout(all);
    if (complete.isEmpty() && without.size() < world.size() && world.rank() == 0) {
      System.err.println("kintsugi: no version in " + folder + " is on every rank"
          + (without.isEmpty() ? "" : ": rank(s) " + without + " have none") + ". What no other level has begins anew");
    }
  }

  private boolean isEverywhere(long version, Told all) {
    for (int rank = 0; rank < world.size(); rank++) {
      if (!all.has(rank, 0, SLOTS, version)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public Buf fetch(long version) {
    closeFetched();
    int slot = slots[0] != null && slots[0].version() == version ? 0 : 1;
    try {
      fetched = CheckpointFile.image(file(slot), slots[slot]);
      return fetched;
    } catch (IOException e) {
      throw new CheckpointException("rank " + world.rank() + " cannot read version " + version + " in " + file(slot) + ": " + e,
          e);
    } catch (DamagedException e) {
      throw new CheckpointException(
          "rank " + world.rank() + " passes over version " + version + " in " + file(slot) + ": " + e.getMessage(), e);
    }
  }

  private void closeFetched() {
    if (fetched != null) {
      fetched.close();
      fetched = null;
    }
  }

  @Override
  public void resume(long version) {
    complete.removeIf(newer -> newer > version);
    for (int slot = 0; claimed && slot < SLOTS; slot++) {
      if (slots[slot] == null || slots[slot].version() > version) {
        remove(slot);
      }
    }
  }

  @Override
  public void drop(long version) {
    if (!claimed) {
      return; // what is there may be another job's
    }
    complete.remove(version);
    for (int slot = 0; slot < SLOTS; slot++) {
      if (slots[slot] != null && slots[slot].version() == version) {
        remove(slot);
      }
    }
  }

  private void remove(int slot) {
    slots[slot] = null;
    try {
      Files.deleteIfExists(file(slot));
    } catch (IOException e) {
      throw new CheckpointException("rank " + world.rank() + " cannot remove " + file(slot)
          + ", which must not be taken for a part of a version to come: " + e, e);
    }
  }

  @Override
  public void close() {
    settle();
    closeFetched();
    room.close();
    scratch.close();
    lock.close();
  }
}
