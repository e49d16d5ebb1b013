// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.zip.CRC32C;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.internal.Memory;

/**
 * One image in one file, readable by its owner only.
 *
 * <p>A file is written in place, over an older version that is not needed any more: that is faster than a new file under another
 * name, takes no room for a third one, and needs only one sync. First a header goes there that says "unfinished", then the
 * image, then the right header, then it is synced. Whatever is cut off in between, by a kill or by a loss of power that leaves
 * pieces in any order on the disk, the header or a checksum tells. Layout, big endian: magic (8 bytes), format (4), rank (4),
 * ranks (4), version (8), length of the image (8), CRC-32C of the image (8), CRC-32C of the header so far (8), the image.
 */
final class CheckpointFile {
  private static final long MAGIC = 0x4b494e5453554749L; // "KINTSUGI"
  private static final int FORMAT = 2;
  private static final int UNFINISHED = -1;
  private static final int CHECKED_BYTES = 8 + 4 + 4 + 4 + 8 + 8 + 8;
  private static final int HEADER_BYTES = CHECKED_BYTES + 8;

  /** Write and checksum go piece by piece, so that a piece is still in the cache when its checksum is taken. */
  private static final int PIECE_BYTES = 1 << 17;

  private static final int SYNC_BYTES = 1 << 24;

  /** What a header says: who wrote it, in a world of how many, which version, how long the image is, and its checksum. */
  record Header(int rank, int ranks, long version, long bytes, long checksum) {}

  private CheckpointFile() {}

  /**
   * Writes a file over whatever is there.
   *
   * @param scratch used for nothing else meanwhile
   * @return the header, which is what the file now has
   */
  static Header write(Path file, int rank, int ranks, long version, Image image, Room scratch) throws IOException {
    return write(file, rank, ranks, version, image, scratch, true);
  }

  /** As {@link #write}, and does not sync: for engines that say themselves which files are complete. */
  static Header writeUnsynced(Path file, int rank, int ranks, long version, Image image, Room scratch) throws IOException {
    return write(file, rank, ranks, version, image, scratch, false);
  }

  private static Header write(Path file, int rank, int ranks, long version, Image image, Room scratch, boolean sync)
      throws IOException {
    boolean isNew = !Files.exists(file);
    long bytes = image.bytes();
    Header header;
    try (FileChannel channel = FileChannel.open(file, Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      put(channel.position(0), head(UNFINISHED, new Header(rank, ranks, version, bytes, 0)));
      Buf composed = scratch.open(Math.min(PIECE_BYTES, bytes));
      CRC32C checksum = new CRC32C();
      CompletableFuture<Void> syncing = CompletableFuture.completedFuture(null);
      try {
        for (long at = 0; at < bytes; at += PIECE_BYTES) {
          ByteBuffer piece = image.view(at, (int) Math.min(PIECE_BYTES, bytes - at), composed);
          put(channel, piece.duplicate());
          checksum.update(piece);
          if (sync && at % SYNC_BYTES == SYNC_BYTES - PIECE_BYTES && syncing.isDone()) {
            await(syncing);
            syncing = CompletableFuture.runAsync(() -> force(channel));
          }
        }
      } finally {
        await(syncing);
      }
      channel.truncate(HEADER_BYTES + bytes);
      header = new Header(rank, ranks, version, bytes, checksum.getValue());
      put(channel.position(0), head(FORMAT, header));
      if (sync) {
        channel.force(true);
      }
    }
    if (sync && isNew) {
      try (FileChannel folder = FileChannel.open(file.getParent(), StandardOpenOption.READ)) {
        folder.force(true);
      }
    }
    return header;
  }

  /** Has the disk begin with what is there, while the rest is still being written. */
  private static void force(FileChannel channel) {
    try {
      channel.force(false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What goes wrong there the last sync would not tell again. */
  private static void await(CompletableFuture<Void> syncing) throws IOException {
    try {
      syncing.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof UncheckedIOException ? ((UncheckedIOException) e.getCause()).getCause() : new IOException(e);
    }
  }

  private static ByteBuffer head(int format, Header header) {
    ByteBuffer head = ByteBuffer.allocate(HEADER_BYTES);
    head.putLong(MAGIC).putInt(format).putInt(header.rank).putInt(header.ranks).putLong(header.version).putLong(header.bytes)
        .putLong(header.checksum);
    return head.putLong(checksum(head)).flip();
  }

  private static long checksum(ByteBuffer head) {
    CRC32C checksum = new CRC32C();
    checksum.update(head.array(), 0, CHECKED_BYTES);
    return checksum.getValue();
  }

  private static void put(FileChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  /**
   * Reads the header of a file.
   *
   * @return null if there is no file, or one whose writing was cut off
   * @throws DamagedException if it is none of ours, torn, or its header is damaged
   */
  static Header header(Path file) throws IOException, DamagedException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return header(channel);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private static Header header(FileChannel channel) throws IOException, DamagedException {
    ByteBuffer head = ByteBuffer.allocate(HEADER_BYTES);
    if (!get(channel, head)) {
      throw new DamagedException("it is torn: " + channel.size() + " bytes, less than the header's " + HEADER_BYTES);
    }
    if (head.getLong() != MAGIC) {
      throw new DamagedException("it is not a checkpoint of Kintsugi");
    }
    int format = head.getInt();
    Header header = new Header(head.getInt(), head.getInt(), head.getLong(), head.getLong(), head.getLong());
    if (head.getLong() != checksum(head)) {
      throw new DamagedException("its header is damaged: the checksum differs");
    }
    if (format == UNFINISHED) {
      return null;
    }
    if (format != FORMAT) {
      throw new DamagedException("it has format " + format + ", this is " + FORMAT);
    }
    if (channel.size() != HEADER_BYTES + header.bytes) {
      throw new DamagedException("it is torn: " + channel.size() + " bytes instead of " + (HEADER_BYTES + header.bytes));
    }
    return header;
  }

  /**
   * Reads the image of a file.
   *
   * @return the image, for the caller to close
   * @throws DamagedException if the file is not what that header was read from, or the image is damaged
   */
  static Buf image(Path file, Header expected) throws IOException, DamagedException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      Header header = header(channel);
      if (!expected.equals(header)) {
        throw new DamagedException("somebody else has written to it: " + header + " instead of " + expected);
      }
      Buf image = Buf.ofBytes(header.bytes);
      try {
        if (readInto(image, channel) != header.checksum) {
          throw new DamagedException("its contents are damaged: the checksum differs");
        }
        return image;
      } catch (IOException | DamagedException e) {
        image.close();
        throw e;
      }
    }
  }

  /** @return the checksum of what was read */
  private static long readInto(Buf image, FileChannel channel) throws IOException, DamagedException {
    CRC32C checksum = new CRC32C();
    for (long at = 0; at < image.count(); at += PIECE_BYTES) {
      ByteBuffer piece = Memory.view(image.address() + at, (int) Math.min(PIECE_BYTES, image.count() - at));
      if (!get(channel, piece)) {
        throw new DamagedException("it is torn");
      }
      checksum.update(piece);
    }
    return checksum.getValue();
  }

  private static boolean get(FileChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      if (channel.read(bytes) < 0) {
        return false;
      }
    }
    bytes.flip();
    return true;
  }

  /** A file is not, or not any more, what a rank has written; the message goes on from "it". */
  static final class DamagedException extends Exception {
    private static final long serialVersionUID = 1L;

    DamagedException(String message) {
      super(message);
    }
  }
}
