// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.internal.Memory;

/**
 * One rank's part of a version as bytes, in the machine's own byte order. Layout: the save's number (8), length of the table of
 * contents (8), the table as text (a line per item, its name and shape), then each item with its length
 * (8) before it. Everything begins on a multiple of 8.
 */
final class Image {
  /** Instead of a save's number: this rank could not compose its part, and only took part in what is collective. */
  static final long VOID = -1;

  private static final long SAVE_AT = 0;
  private static final long TABLE_BYTES_AT = 8;
  private static final long TABLE_AT = 16;
  private static final long WORD = 8;

  private final Map<String, Protected> data;
  private final byte[] table;
  private final long[] lengths;

  /** Measures what is protected now. */
  Image(Map<String, Protected> data) {
    this.data = data;
    table = table(data).getBytes(StandardCharsets.UTF_8);
    lengths = data.values().stream().mapToLong(Protected::bytes).toArray();
  }

  private static String table(Map<String, Protected> data) {
    StringBuilder text = new StringBuilder();
    data.forEach((name, item) -> text.append(name).append(": ").append(item.shape()).append('\n'));
    return text.toString();
  }

  private static long aligned(long bytes) {
    return (bytes + WORD - 1) / WORD * WORD;
  }

  long bytes() {
    long bytes = TABLE_AT + aligned(table.length);
    for (long length : lengths) {
      bytes += WORD + aligned(length);
    }
    return bytes;
  }

  /** Composes the image in a room of {@link #bytes}. */
  void writeTo(Buf room, long save) {
    long address = room.address();
    Memory.putLong(address + SAVE_AT, save);
    Memory.putLong(address + TABLE_BYTES_AT, table.length);
    Memory.copyIn(table, Memory.arrayBase(byte[].class), address + TABLE_AT, table.length);
    long at = address + TABLE_AT + aligned(table.length);
    int i = 0;
    for (Protected item : data.values()) {
      Memory.putLong(at, lengths[i]);
      item.writeTo(at + WORD);
      at += WORD + aligned(lengths[i++]);
    }
  }

  /** The number of the save that an image comes from. */
  static long saveOf(Buf image) {
    return Memory.getLong(image.address() + SAVE_AT);
  }

  /** How an image differs from what is protected now, in names, order, types or lengths; null if it does not. */
  static String mismatch(Map<String, Protected> data, Buf image) {
    int tableBytes = Math.toIntExact(Memory.getLong(image.address() + TABLE_BYTES_AT));
    String found = Memory.getString(image.address() + TABLE_AT, tableBytes);
    String expected = table(data);
    return found.equals(expected) ? null : "Saved:\n" + found + "Protected:\n" + expected;
  }

  /** Gives an image back to what is protected now, which it fits. */
  static void readInto(Map<String, Protected> data, Buf image) {
    long at = image.address() + TABLE_AT + aligned(Memory.getLong(image.address() + TABLE_BYTES_AT));
    for (Protected item : data.values()) {
      long bytes = Memory.getLong(at);
      item.readFrom(at + WORD, bytes);
      at += WORD + aligned(bytes);
    }
  }
}
