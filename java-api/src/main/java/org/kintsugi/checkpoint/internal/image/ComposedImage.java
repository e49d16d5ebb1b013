// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.image;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.kintsugi.checkpoint.engine.CheckpointException;
import org.kintsugi.checkpoint.engine.Image;
import org.kintsugi.checkpoint.internal.protection.Protected;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.internal.memory.Memory;

/**
 * One rank's part of a version as bytes, in the machine's own byte order. They are read from the program's data only on request,
 * so that an engine can copy them to their destination, or write them out piece by piece and never hold them all. Until then the
 * data must not change.
 *
 * <p>Layout: the save's number (8), length of the table of contents (8), the table as text (a line per item, its name and
 * shape), then each item with its length (8) before it. All parts begin on a multiple of 8.
 */
public final class ComposedImage implements Image {
  /** Instead of a save's number: this rank could not compose its part, and only takes part in the collectives. */
  private static final long VOID = -1;

  /** How much of it is handled at a time where its checksum is taken: a piece is still in the cache then. */
  public static final int PIECE_BYTES = 1 << 17;

  /** Advice in messages about a length that has changed. */
  private static final String LENGTHS = "What changes its length is protected by a getter and a setter, "
      + "protect(\"x\", () -> x, a -> x = a), or in a field with @Protect.";

  private static final long SAVE_AT = 0;
  private static final long TABLE_BYTES_AT = 8;
  private static final int TABLE_AT = 16;
  private static final long WORD = 8;
  private static final byte[] PADDING = new byte[(int) WORD];

  private final long save;
  private final boolean isVoid;
  private final List<Piece> pieces;
  private final long bytes;

  /** How far copying has come: the current piece, and the position of its first byte. */
  private int current;
  private long currentAt;

  /**
   * Bytes of an array, or of off-heap memory ({@code base} is null), in the sense of {@link Memory#copyAny}. The owner keeps
   * them reachable: a getter may have made a buffer that has no other reference.
   */
  private record Piece(Object base, long offset, long bytes, Object owner) {}

  private ComposedImage(long save, boolean isVoid, List<Piece> pieces, long bytes) {
    this.save = save;
    this.isVoid = isVoid;
    this.pieces = pieces;
    this.bytes = bytes;
  }

  /** Composes an image of the protected data, for the save with that number. */
  public static ComposedImage of(long save, Map<String, Protected> data) {
    return compose(save, false, data);
  }

  /** The same image, with all that is known of it: {@link org.kintsugi.checkpoint.Checkpoint} makes no others. */
  public static ComposedImage from(Image image) {
    return (ComposedImage) image;
  }

  /** The image of a rank that could not compose its part: no data, and a mark. */
  public static ComposedImage ofNothing(long save) {
    return compose(save, true, Map.of());
  }

  /**
   * An image of bytes that other code has composed. They follow an empty table, are off-heap, and
   * must not change until they are saved.
   */
  public static ComposedImage ofBytes(long save, Buf content) {
    List<Piece> pieces = new ArrayList<>();
    long bytes = add(pieces, save, 0);
    return new ComposedImage(save, false, pieces, bytes + add(pieces, null, content.address(), content.bytes()));
  }

  /** The address of the bytes of {@link #ofBytes} in an image that was read back. */
  public static long contentOf(Buf image) {
    return image.address() + TABLE_AT;
  }

  private static ComposedImage compose(long save, boolean isVoid, Map<String, Protected> data) {
    byte[] table = table(data).getBytes(StandardCharsets.UTF_8);
    List<Piece> pieces = new ArrayList<>();
    long bytes = add(pieces, new long[] {isVoid ? VOID : save, table.length});
    bytes += add(pieces, table, Memory.arrayBase(byte[].class), table.length);
    for (Map.Entry<String, Protected> item : data.entrySet()) {
      long[] length = new long[1];
      bytes += add(pieces, length);
      try {
        item.getValue().pieces((base, offset, count, owner) -> {
          pieces.add(new Piece(base, offset, count, owner));
          length[0] += count;
        });
      } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
        throw trouble(item.getKey(), e);
      }
      bytes += length[0] + pad(pieces, length[0]);
    }
    return new ComposedImage(save, isVoid, pieces, bytes);
  }

  private static long add(List<Piece> pieces, long... words) {
    return add(pieces, words, Memory.arrayBase(long[].class), WORD * words.length);
  }

  private static long add(List<Piece> pieces, Object array, long offset, long bytes) {
    pieces.add(new Piece(array, offset, bytes, array));
    return bytes + pad(pieces, bytes);
  }

  private static long pad(List<Piece> pieces, long bytes) {
    long missing = aligned(bytes) - bytes;
    if (missing > 0) {
      pieces.add(new Piece(PADDING, Memory.arrayBase(byte[].class), missing, PADDING));
    }
    return missing;
  }

  /**
   * The protected data as {@link #mismatch} and {@link #changed} compare them: a line per name, with its shape.
   *
   * @throws CheckpointException naming data that cannot be read, such as a buffer that is closed
   */
  public static String table(Map<String, Protected> data) {
    StringBuilder text = new StringBuilder();
    data.forEach((name, item) -> text.append(name).append(": ").append(shape(name, item)).append('\n'));
    return text.toString();
  }

  private static String shape(String name, Protected item) {
    try {
      return item.shape();
    } catch (RuntimeException e) {
      throw trouble(name, e);
    }
  }

  /** The program's, most likely: a buffer that is closed, a getter or setter that throws, an object too deep to be serialized. */
  private static CheckpointException trouble(String name, Throwable e) {
    return new CheckpointException("'" + name + "': " + (e instanceof CheckpointException ? e.getMessage() : e), e);
  }

  private static long aligned(long bytes) {
    return (bytes + WORD - 1) / WORD * WORD;
  }

  @Override
  public long save() {
    return save;
  }

  @Override
  public boolean isVoid() {
    return isVoid;
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public void copyTo(Buf room) {
    copy(0, bytes, room.address());
  }

  /** Most of an image, if that is in one piece: its place in the image, and where it is in off-heap memory. */
  public record Direct(long at, long address, long bytes) {}

  /** Null if most of it is not in one off-heap piece. */
  public Direct direct() {
    long at = 0;
    for (Piece piece : pieces) {
      if (piece.base == null && piece.bytes > bytes / 2) {
        return new Direct(at, piece.offset, piece.bytes);
      }
      at += piece.bytes;
    }
    return null;
  }

  /**
   * Copies the pieces that are not {@link #direct}, without a gap.
   *
   * @return the checksum of the whole image
   */
  public long copyRest(Buf room) {
    Checksum checksum = new Checksum();
    Direct direct = direct();
    if (direct == null) {
      copyChecked(0, bytes, room.address(), checksum);
    } else {
      copyChecked(0, direct.at, room.address(), checksum);
      checksum.add(direct.address, direct.bytes);
      copyChecked(direct.at + direct.bytes, bytes, room.address() + direct.at, checksum);
    }
    return checksum.value();
  }

  private void copyChecked(long from, long to, long address, Checksum checksum) {
    for (long at = from; at < to; at += PIECE_BYTES) {
      long count = Math.min(PIECE_BYTES, to - at);
      copy(at, count, address + at - from);
      checksum.add(address + at - from, count);
    }
  }

  /** A copy of it in a room, which the program's data can no longer change. */
  public ComposedImage copyAside(ImageMemory room) {
    copyTo(room.open(bytes));
    return new ComposedImage(save, isVoid, Collections.singletonList(new Piece(null, room.address(), bytes, room)), bytes);
  }

  /**
   * The address of some bytes of it, good until the next call. Calls for one piece after the other are quick.
   *
   * @param scratch where they are put if they are not in one off-heap piece already
   */
  public long gather(long at, int count, Buf scratch) {
    seek(at);
    Piece piece = pieces.get(current);
    long within = at - currentAt;
    if (piece.base == null && within + count <= piece.bytes) {
      return piece.offset + within;
    }
    copy(at, count, scratch.address());
    return scratch.address();
  }

  /**
   * The offset in a page at which the image must begin in a file. Its largest off-heap piece, or {@code scratch} if there is
   * none, then has the same offset in a page in memory and in the file, which is quicker to copy.
   *
   * @param scratch the buffer that {@link #gather} gets
   */
  public int positionInPage(Buf scratch) {
    Direct direct = direct();
    return Math.floorMod(direct == null ? scratch.address() : direct.address - direct.at, Memory.PAGE_BYTES);
  }

  /**
   * An item as it is in the image.
   *
   * @param bytes without the padding
   * @param checksum CRC-32C of these bytes
   */
  public record Item(String name, long bytes, long checksum) {}

  /**
   * The items with their checksums. It reads all data.
   *
   * @param names of the protected data that it was composed of, in their order; an image of nothing has no items
   * @param scratch of {@link #PIECE_BYTES}
   */
  public List<Item> items(Collection<String> names, Buf scratch) {
    List<Item> items = new ArrayList<>();
    if (isVoid) {
      return items;
    }
    long at = TABLE_AT + aligned(word(TABLE_BYTES_AT, scratch));
    for (String name : names) {
      long length = word(at, scratch);
      at += WORD;
      Checksum checksum = new Checksum();
      for (long from = 0; from < length; from += PIECE_BYTES) {
        int count = (int) Math.min(PIECE_BYTES, length - from);
        copy(at + from, count, scratch.address());
        checksum.add(scratch.address(), count);
      }
      items.add(new Item(name, length, checksum.value()));
      at += aligned(length);
    }
    return items;
  }

  private long word(long at, Buf scratch) {
    copy(at, WORD, scratch.address());
    return Memory.getLong(scratch.address());
  }

  private void copy(long from, long count, long address) {
    seek(from);
    long at = from;
    while (at < from + count) {
      Piece piece = pieces.get(current);
      long within = at - currentAt;
      long length = Math.min(piece.bytes - within, from + count - at);
      Memory.copyAny(piece.base, piece.offset + within, null, address + at - from, length);
      at += length;
      seek(at);
    }
  }

  /** Makes the piece with that byte the current one; the last, if that is the end. */
  private void seek(long at) {
    if (at < currentAt) {
      current = 0;
      currentAt = 0;
    }
    while (at >= currentAt + pieces.get(current).bytes && current < pieces.size() - 1) {
      currentAt += pieces.get(current++).bytes;
    }
  }

  /** Whether an image that was read back is one {@link #isVoid}. */
  public static boolean isVoid(Buf image) {
    return saveOf(image) == VOID;
  }

  /** The number of the save that an image comes from. */
  public static long saveOf(Buf image) {
    return Memory.getLong(image.address() + SAVE_AT);
  }

  /**
   * The difference between an image and the protected data in names, order, types or fixed lengths; null: none. Names data that
   * the program has closed or taken away since it was protected, too.
   */
  public static String mismatch(Map<String, Protected> data, Buf image) {
    int tableBytes = Math.toIntExact(Memory.getLong(image.address() + TABLE_BYTES_AT));
    String found = Memory.getString(image.address() + TABLE_AT, tableBytes);
    String expected;
    try {
      expected = table(data);
    } catch (CheckpointException e) {
      return "What is protected cannot be looked at: " + e.getMessage();
    }
    return found.equals(expected) ? null : "Saved:\n" + found + "Protected:\n" + expected + LENGTHS;
  }

  /** The difference between two {@link #table tables}, in one line; null: none. */
  public static String changed(String before, String now) {
    if (before.equals(now)) {
      return null;
    }
    List<String> old = before.lines().toList();
    List<String> young = now.lines().toList();
    List<String> gone = old.stream().filter(line -> !young.contains(line)).toList();
    List<String> come = young.stream().filter(line -> !old.contains(line)).toList();
    String both =
        (gone.isEmpty() ? "" : "then there was " + String.join(", ", gone)) + (gone.isEmpty() || come.isEmpty() ? "" : "; ")
            + (come.isEmpty() ? "" : "now there is " + String.join(", ", come));
    return (both.isEmpty() ? "the order has changed" : both) + ". " + LENGTHS;
  }

  /**
   * Restores the protected data from an image that fits them.
   *
   * @throws CheckpointException naming the item that cannot take its value; those before it have theirs
   */
  public static void readInto(Map<String, Protected> data, Buf image) {
    readInto(data, image, claimed(data.values()));
  }

  /**
   * The objects that restores write into, however the program reaches them: the initial set for {@link #readInto(Map, Buf,
   * Set)}.
   */
  public static Set<Object> claimed(Collection<Protected> items) {
    Set<Object> given = Collections.newSetFromMap(new IdentityHashMap<>());
    items.forEach(item -> item.claim(given));
    return given;
  }

  /** As {@link #readInto(Map, Buf)}, for several images of one moment: no two items are given the same array or buffer. */
  public static void readInto(Map<String, Protected> data, Buf image, Set<Object> given) {
    long at = image.address() + TABLE_AT + aligned(Memory.getLong(image.address() + TABLE_BYTES_AT));
    for (Map.Entry<String, Protected> item : data.entrySet()) {
      long length = Memory.getLong(at);
      try {
        item.getValue().readFrom(at + WORD, length, given);
      } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
        throw trouble(item.getKey(), e);
      }
      at += WORD + aligned(length);
    }
  }
}
