// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.files;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.zip.CRC32C;
import org.kintsugi.checkpoint.engine.Attempt;
import org.kintsugi.checkpoint.engine.Version;
import org.kintsugi.checkpoint.internal.image.Checksum;
import org.kintsugi.checkpoint.internal.image.ComposedImage;
import org.kintsugi.checkpoint.internal.image.ImageMemory;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.internal.files.OwnerOnly;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.mpi.internal.memory.MemoryView;

/**
 * One image in one file, readable by its owner only.
 *
 * <p>A file is written in place, over an older version that is not needed any more: that is faster than a new file under another
 * name, takes no room for a third one, and needs only one sync. First a header that says "unfinished" is written, then the
 * image, then the final header, and the file is synced. A kill, or a loss of power that leaves pieces in any order on the disk,
 * shows in the header or in a checksum. Layout, big endian: magic (8 bytes), format (4), rank (4), ranks (4), version ({@link
 * Version#words}, 32), offset of the image (4), its length (8), its CRC-32C (8), CRC-32C of the header so far (8); an unused
 * gap, so that file and memory have their pages at the same offsets, which is quicker to copy; the image,
 * in the machine's byte order: the save's number (8), the table's length (8), the table as text,
 * then each item with its length (8) before it, all on multiples of 8 ({@link ComposedImage}).
 */
public final class CheckpointFile {
  private static final long MAGIC = 0x4b494e5453554749L; // "KINTSUGI"
  private static final int FORMAT = 4;
  private static final int UNFINISHED = -1;
  private static final int CHECKED_BYTES = 8 + 4 + 4 + 4 + 8 * Version.WORDS + 4 + 8 + 8;
  private static final int HEADER_BYTES = CHECKED_BYTES + 8;

  private static final int SYNC_BYTES = 1 << 24;

  private static final long IDLE_SECONDS = 5;
  /** Threads of its own: in the common pool a sync would wait for tasks of the program, and a save for the sync. */
  private static final Executor SYNCS = new ThreadPoolExecutor(0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS,
      new SynchronousQueue<>(), CheckpointFile::syncThread);

  /** The fields of a header: its writer, the size of that world, the version, the place of the image, and its checksum. */
  public record Header(int rank, int ranks, Version version, int begins, long bytes, long checksum) {
    Header with(long newChecksum) {
      return new Header(rank, ranks, version, begins, bytes, newChecksum);
    }

    long fileBytes() {
      return begins + bytes;
    }

    /** As the one of all records, which is made at run time: each rank would be 90 ms later in its loop after a failure. */
    @Override
    public boolean equals(Object other) {
      return other instanceof Header that && rank == that.rank && ranks == that.ranks && version.equals(that.version)
          && begins == that.begins && bytes == that.bytes && checksum == that.checksum;
    }

    @Override
    public int hashCode() {
      return Long.hashCode(checksum) * 31 + version.hashCode();
    }
  }

  private CheckpointFile() {}

  /**
   * Writes a file over whatever is there, and syncs it.
   *
   * @param scratch used for nothing else meanwhile
   * @param cutOff asked between pieces whether to abandon the file
   * @return the header, which is what the file now has
   * @throws IOException also if it was cut off; then the file is unfinished
   */
  static Header write(RawFile file, int rank, int ranks, Version version, ComposedImage image, ImageMemory scratch,
      BooleanSupplier cutOff)
      throws IOException {
    Buf room = scratch.open(Math.min(ComposedImage.PIECE_BYTES, image.bytes()));
    Header unfinished = unfinished(rank, ranks, version, image, room);
    file.write(head(UNFINISHED, unfinished), 0);
    Header header = unfinished.with(writeImage(file, unfinished.begins, image, room, true, cutOff));
    file.truncate(header.fileBytes());
    file.write(head(FORMAT, header), 0);
    file.sync();
    return header;
  }

  static IOException cutOff() {
    return new IOException("cut off, as the program has rolled back");
  }

  /** As {@link #write}, from nothing, and not synced: for engines that say themselves which files are complete. */
  public static Header writeNew(Path file, int rank, int ranks, Version version, ComposedImage image, ImageMemory scratch)
      throws IOException {
    Buf room = scratch.open(Math.min(ComposedImage.PIECE_BYTES, image.bytes()));
    Header unfinished = unfinished(rank, ranks, version, image, room);
    try (RawFile open = RawFile.make(file)) {
      Header header = unfinished.with(writeImage(open, unfinished.begins, image, room, false, () -> false));
      open.write(head(FORMAT, header), 0);
      return header;
    }
  }

  /** All that is known before the image has been written. */
  private static Header unfinished(int rank, int ranks, Version version, ComposedImage image, Buf room) {
    int begins = HEADER_BYTES + Math.floorMod(image.positionInPage(room) - HEADER_BYTES, Memory.PAGE_BYTES);
    return new Header(rank, ranks, version, begins, image.bytes(), 0);
  }

  /** @return the image's checksum */
  private static long writeImage(RawFile file, long begins, ComposedImage image, Buf room, boolean sync,
      BooleanSupplier cutOff) throws IOException {
    Checksum checksum = new Checksum();
    CompletableFuture<Void> syncing = CompletableFuture.completedFuture(null);
    try {
      for (long at = 0; at < image.bytes(); at += ComposedImage.PIECE_BYTES) {
        if (cutOff.getAsBoolean()) {
          throw cutOff();
        }
        int count = (int) Math.min(ComposedImage.PIECE_BYTES, image.bytes() - at);
        long address = image.gather(at, count, room);
        file.write(address, count, begins + at);
        checksum.add(address, count);
        if (sync && at % SYNC_BYTES == SYNC_BYTES - ComposedImage.PIECE_BYTES && syncing.isDone()) {
          await(syncing);
          syncing = CompletableFuture.runAsync(() -> sync(file), SYNCS);
        }
      }
    } finally {
      await(syncing);
    }
    return checksum.value();
  }

  private static Thread syncThread(Runnable syncs) {
    Thread thread = new Thread(syncs, "kintsugi-checkpoint-sync");
    thread.setDaemon(true);
    return thread;
  }

  /** Has the disk begin with the data so far, while the rest is still being written. */
  private static void sync(RawFile file) {
    try {
      file.sync();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The last sync would not report an error of this one again. */
  private static void await(CompletableFuture<Void> syncing) throws IOException {
    try {
      syncing.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof UncheckedIOException ? ((UncheckedIOException) e.getCause()).getCause() : new IOException(e);
    }
  }

  private static byte[] head(int format, Header header) {
    ByteBuffer head = ByteBuffer.allocate(HEADER_BYTES);
    head.putLong(MAGIC).putInt(format).putInt(header.rank).putInt(header.ranks);
    for (long word : header.version.words()) {
      head.putLong(word);
    }
    head.putInt(header.begins).putLong(header.bytes).putLong(header.checksum);
    return head.putLong(checksum(head)).array();
  }

  private static long checksum(ByteBuffer head) {
    CRC32C checksum = new CRC32C();
    checksum.update(head.array(), 0, CHECKED_BYTES);
    return checksum.getValue();
  }

  /**
   * Reads the header of a file.
   *
   * @return null if there is no file, or one whose writing was cut off
   * @throws DamagedException if it is none of ours, torn, or its header is damaged
   */
  public static Header header(Path file) throws IOException, DamagedException {
    try (FileChannel channel = OwnerOnly.open(file, StandardOpenOption.READ)) {
      return header(channel);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /**
   * The attempt that has written a file, or has begun to.
   *
   * @return null: there is no file, or its header does not say
   */
  static Attempt attempt(Path file) throws IOException {
    try (FileChannel channel = OwnerOnly.open(file, StandardOpenOption.READ)) {
      ByteBuffer head = head(channel);
      head.getInt();
      return fields(head).version.attempt();
    } catch (NoSuchFileException | DamagedException e) {
      return null;
    }
  }

  private static ByteBuffer head(FileChannel channel) throws IOException, DamagedException {
    ByteBuffer head = ByteBuffer.allocate(HEADER_BYTES);
    if (!get(channel, head)) {
      throw new DamagedException("it is torn: " + channel.size() + " bytes, less than the header's " + HEADER_BYTES);
    }
    head.flip();
    if (head.getLong() != MAGIC) {
      throw new DamagedException("it is not a checkpoint of Kintsugi");
    }
    return head;
  }

  /** Reads the fields that follow the format. */
  private static Header fields(ByteBuffer head) throws DamagedException {
    int rank = head.getInt();
    int ranks = head.getInt();
    long[] version = {head.getLong(), head.getLong(), head.getLong(), head.getLong()};
    Header header = new Header(rank, ranks, Version.of(version, 0), head.getInt(), head.getLong(), head.getLong());
    if (head.getLong() != checksum(head)) {
      throw new DamagedException("its header is damaged: the checksum differs");
    }
    return header;
  }

  private static Header header(FileChannel channel) throws IOException, DamagedException {
    ByteBuffer head = head(channel);
    int format = head.getInt();
    Header header = fields(head);
    if (format == UNFINISHED) {
      return null;
    }
    if (format != FORMAT) {
      throw new DamagedException("it has format " + format + ", this is " + FORMAT);
    }
    if (channel.size() != header.fileBytes()) {
      throw new DamagedException("it is torn: " + channel.size() + " bytes instead of " + header.fileBytes());
    }
    return header;
  }

  /**
   * Reads the image of a file.
   *
   * @return the image, for the caller to close
   * @throws DamagedException if the file is not what that header was read from, or the image is damaged
   */
  public static Buf image(Path file, Header expected) throws IOException, DamagedException {
    try (FileChannel channel = OwnerOnly.open(file, StandardOpenOption.READ)) {
      Header header = header(channel);
      if (!expected.equals(header)) {
        throw new DamagedException("somebody else has written to it: " + header + " instead of " + expected);
      }
      Buf image = Buf.allocateBytes(header.bytes);
      try {
        if (readInto(image, channel.position(header.begins)) != header.checksum) {
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
    Checksum checksum = new Checksum();
    MemoryView window = new MemoryView();
    for (long at = 0; at < image.bytes(); at += ComposedImage.PIECE_BYTES) {
      int count = (int) Math.min(ComposedImage.PIECE_BYTES, image.bytes() - at);
      if (!get(channel, window.view(image.address() + at, count))) {
        throw new DamagedException("it is torn");
      }
      checksum.add(image.address() + at, count);
    }
    return checksum.value();
  }

  private static boolean get(FileChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      if (channel.read(bytes) < 0) {
        return false;
      }
    }
    return true;
  }

  /** A file is not, or not any more, what a rank has written; the message goes on from "it". */
  public static final class DamagedException extends Exception {
    private static final long serialVersionUID = 1L;

    DamagedException(String message) {
      super(message);
    }
  }
}
