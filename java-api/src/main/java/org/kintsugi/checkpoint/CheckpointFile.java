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
import java.util.Set;
import java.util.zip.CRC32C;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.internal.Memory;

/**
 * One image in one file, readable by its owner only.
 *
 * <p>It is written under a temporary name, synced, renamed, and the folder is synced: under its final name it is whole, or the
 * disk lies. Because disks lie, checksums cover all of it. Layout, big endian: magic (8 bytes), format (4), rank (4), ranks (4),
 * version (8), length of the image (8), CRC-32C of the header so far (8), the image, CRC-32C of the image (8).
 */
final class CheckpointFile {
  private static final long MAGIC = 0x4b494e5453554749L; // "KINTSUGI"
  private static final int FORMAT = 2;
  private static final int CHECKED_BYTES = 8 + 4 + 4 + 4 + 8 + 8;
  private static final int HEADER_BYTES = CHECKED_BYTES + 8;
  private static final int TAIL_BYTES = 8;

  /** Checksum and write go piece by piece, so that a piece is still in the cache when it is written. */
  private static final int PIECE_BYTES = 1 << 20;

  /** What a header says: who wrote it, in a world of how many, which version, how long the image is. */
  record Header(int rank, int ranks, long version, long bytes) {}

  private CheckpointFile() {}

  /**
   * Writes a file in the place of an older one; cut off anywhere, the older one is still there.
   *
   * @param image off-heap memory of {@code header.bytes()} bytes
   */
  static void write(Path target, Header header, long image) throws IOException {
    Path temporary = temporary(target);
    try {
      try (FileChannel channel = FileChannel.open(temporary,
          Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING),
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
        writeTo(channel, header, image);
        channel.force(true);
      }
      Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      throw new IOException("the file system of " + target.getParent() + " cannot rename in one step: use another folder", e);
    } catch (IOException e) {
      // On a full disk what is half written is in the way of the next try.
      Files.deleteIfExists(temporary);
      throw e;
    }
    try (FileChannel folder = FileChannel.open(target.getParent(), StandardOpenOption.READ)) {
      folder.force(true);
    }
  }

  private static Path temporary(Path target) {
    return target.resolveSibling(target.getFileName() + ".tmp");
  }

  /** Removes a file, and what a write that was cut off has left of it. */
  static void remove(Path target) throws IOException {
    Files.deleteIfExists(temporary(target));
    Files.deleteIfExists(target);
  }

  private static void writeTo(FileChannel channel, Header header, long image) throws IOException {
    ByteBuffer head = ByteBuffer.allocate(HEADER_BYTES);
    head.putLong(MAGIC).putInt(FORMAT).putInt(header.rank).putInt(header.ranks).putLong(header.version).putLong(header.bytes);
    head.putLong(checksum(head)).flip();
    put(channel, head);
    CRC32C checksum = new CRC32C();
    for (long at = 0; at < header.bytes; at += PIECE_BYTES) {
      ByteBuffer piece = Memory.view(image + at, (int) Math.min(PIECE_BYTES, header.bytes - at));
      checksum.update(piece.duplicate());
      put(channel, piece);
    }
    put(channel, ByteBuffer.allocate(TAIL_BYTES).putLong(checksum.getValue()).flip());
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
   * @return null if there is no file
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
    Header header = new Header(head.getInt(), head.getInt(), head.getLong(), head.getLong());
    if (head.getLong() != checksum(head)) {
      throw new DamagedException("its header is damaged: the checksum differs");
    }
    if (format != FORMAT) {
      throw new DamagedException("it has format " + format + ", this is " + FORMAT);
    }
    if (channel.size() != HEADER_BYTES + header.bytes + TAIL_BYTES) {
      throw new DamagedException("it is torn: " + channel.size() + " bytes instead of "
          + (HEADER_BYTES + header.bytes + TAIL_BYTES));
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
      if (!header.equals(expected)) {
        throw new DamagedException("somebody else has written to it: " + header + " instead of " + expected);
      }
      Buf image = Buf.ofBytes(header.bytes);
      try {
        readInto(image, channel);
        return image;
      } catch (IOException | DamagedException e) {
        image.close();
        throw e;
      }
    }
  }

  private static void readInto(Buf image, FileChannel channel) throws IOException, DamagedException {
    CRC32C checksum = new CRC32C();
    for (long at = 0; at < image.count(); at += PIECE_BYTES) {
      ByteBuffer piece = Memory.view(image.address() + at, (int) Math.min(PIECE_BYTES, image.count() - at));
      if (!get(channel, piece)) {
        throw new DamagedException("it is torn");
      }
      checksum.update(piece);
    }
    ByteBuffer tail = ByteBuffer.allocate(TAIL_BYTES);
    if (!get(channel, tail) || tail.getLong() != checksum.getValue()) {
      throw new DamagedException("its contents are damaged: the checksum differs");
    }
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
