// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.OptionalLong;
import java.util.Set;
import java.util.zip.CRC32C;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.internal.Memory;

/**
 * One file per rank and slot in a folder that all nodes share: survives the loss of nodes and of the whole job.
 *
 * <p>A file is written under a temporary name, synced, renamed, and the folder is synced: under its final name it is
 * whole, or the disk lies. Because disks lie, a checksum covers all of it, and a file that is torn or corrupt is passed
 * over for the older version. A version counts when every rank has its file; what a rank has beyond the newest of those
 * is removed when it is restored, and what another run has left when the first version of this one is written. Layout,
 * big endian: magic (8 bytes), format (4), rank (4), ranks (4), version (8), length of the image (8), the image,
 * CRC-32C of all before (8). Readable by its owner only.
 */
final class FileStore implements CheckpointStore {
  private static final long MAGIC = 0x4b494e5453554749L; // "KINTSUGI"
  private static final int FORMAT = 1;
  private static final int HEADER_BYTES = 8 + 4 + 4 + 4 + 8 + 8;
  private static final long NONE = Long.MIN_VALUE;
  private static final int PIECE_BYTES = 1 << 22;

  private final Path folder;
  private final long[] versions = {NONE, NONE};
  private final Buf[] images = new Buf[2];
  private long committed = NONE;
  private Comm world;

  FileStore(Path folder) {
    this.folder = folder;
  }

  @Override
  public void bind(Comm newWorld) {
    world = newWorld;
  }

  private Path file(int slot) {
    return folder.resolve(String.format("rank-%05d.%d.ckpt", world.rank(), slot));
  }

  @Override
  public void write(long version, Buf image) {
    int slot = committed != NONE && versions[0] == committed ? 1 : 0;
    Path target = file(slot);
    Path temporary = target.resolveSibling(target.getFileName() + ".tmp");
    versions[slot] = NONE;
    try {
      Files.createDirectories(folder);
      if (committed == NONE) {
        // A new beginning: what an earlier run has left in the other slot must never be taken for this one's.
        Files.deleteIfExists(file(1 - slot));
      }
      writeFile(temporary, version, image);
      try {
        Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
      } catch (AtomicMoveNotSupportedException e) {
        throw new CheckpointException("the file system of " + folder + " cannot rename in one step: use another", e);
      }
      syncFolder();
    } catch (IOException e) {
      throw new CheckpointException("rank " + world.rank() + " cannot write version " + version + " to " + target
          + ": " + e + "; the version before it is kept", e);
    }
    versions[slot] = version;
  }

  private void writeFile(Path path, long version, Buf image) throws IOException {
    CRC32C checksum = new CRC32C();
    try (FileChannel channel = FileChannel.open(path,
        Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
      header.putLong(MAGIC).putInt(FORMAT).putInt(world.rank()).putInt(world.size()).putLong(version)
          .putLong(image.count()).flip();
      put(channel, header, checksum);
      ByteBuffer piece = ByteBuffer.allocateDirect((int) Math.min(PIECE_BYTES, Math.max(image.count(), 1)));
      for (long at = 0; at < image.count(); at += piece.limit()) {
        piece.clear().limit((int) Math.min(piece.capacity(), image.count() - at));
        Memory.copy(image.address() + at, Memory.addressOf(piece), piece.limit());
        put(channel, piece, checksum);
      }
      ByteBuffer tail = ByteBuffer.allocate(8).putLong(checksum.getValue()).flip();
      put(channel, tail, new CRC32C());
      channel.force(true);
    }
  }

  private static void put(FileChannel channel, ByteBuffer bytes, CRC32C checksum) throws IOException {
    checksum.update(bytes.duplicate());
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  private void syncFolder() throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  @Override
  public void commit(long version) {
    committed = version;
  }

  @Override
  public OptionalLong newestComplete() {
    long[] mine = {load(0), load(1)};
    long[] all = new long[2 * world.size()];
    world.allGather(Buf.of(mine), Buf.of(all));
    long newest = NONE;
    for (long candidate : mine) {
      if (candidate > newest && isEverywhere(candidate, all)) {
        newest = candidate;
      }
    }
    committed = newest;
    for (int slot = 0; slot < 2; slot++) {
      versions[slot] = mine[slot] == newest ? newest : NONE;
      if (newest != NONE && mine[slot] > newest) {
        remove(slot);
      }
    }
    return newest == NONE ? OptionalLong.empty() : OptionalLong.of(newest);
  }

  /**
   * A newer version that not every rank has: the next attempt at it may be cut short as well, and then this file would pass for
   * a part of that.
   */
  private void remove(int slot) {
    try {
      Files.deleteIfExists(file(slot));
    } catch (IOException e) {
      throw new CheckpointException(
          "rank " + world.rank() + " cannot remove " + file(slot) + ", which is a part of a version that "
              + "is not complete: " + e,
          e);
    }
  }

  private static boolean isEverywhere(long version, long[] all) {
    for (int i = 0; i < all.length; i += 2) {
      if (all[i] != version && all[i + 1] != version) {
        return false;
      }
    }
    return true;
  }

  /**
   * Reads a slot's file.
   *
   * @return its version, or NONE if it is missing, torn, corrupt or somebody else's
   */
  private long load(int slot) {
    Path path = file(slot);
    if (images[slot] != null) {
      images[slot].close();
      images[slot] = null;
    }
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      CRC32C checksum = new CRC32C();
      ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
      if (!get(channel, header, checksum) || header.getLong() != MAGIC || header.getInt() != FORMAT
          || header.getInt() != world.rank()) {
        return NONE;
      }
      int ranks = header.getInt();
      long version = header.getLong();
      long bytes = header.getLong();
      if (bytes < 0 || bytes != channel.size() - HEADER_BYTES - 8) {
        return NONE;
      }
      Buf image = Buf.ofBytes(bytes);
      ByteBuffer piece = ByteBuffer.allocateDirect((int) Math.min(PIECE_BYTES, Math.max(bytes, 1)));
      for (long at = 0; at < bytes; at += piece.limit()) {
        piece.clear().limit((int) Math.min(piece.capacity(), bytes - at));
        if (!get(channel, piece, checksum)) {
          image.close();
          return NONE;
        }
        Memory.copy(Memory.addressOf(piece), image.address() + at, piece.limit());
      }
      ByteBuffer tail = ByteBuffer.allocate(8);
      if (!get(channel, tail, new CRC32C()) || tail.getLong() != checksum.getValue()) {
        image.close();
        return NONE;
      }
      if (ranks != world.size()) {
        image.close();
        throw new CheckpointException(path + " was written by " + ranks + " ranks, and the world has " + world.size()
            + ": restart with as many, or use another folder (-Dkintsugi.checkpoint.dir)");
      }
      images[slot] = image;
      return version;
    } catch (NoSuchFileException e) {
      return NONE;
    } catch (IOException e) {
      throw new CheckpointException("rank " + world.rank() + " cannot read " + path + ": " + e, e);
    }
  }

  private static boolean get(FileChannel channel, ByteBuffer bytes, CRC32C checksum) throws IOException {
    while (bytes.hasRemaining()) {
      if (channel.read(bytes) < 0) {
        return false;
      }
    }
    bytes.flip();
    checksum.update(bytes.duplicate());
    return true;
  }

  @Override
  public Buf fetch(long version) {
    return versions[0] == version ? images[0] : images[1];
  }
}
