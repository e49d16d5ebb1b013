// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.kintsugi.persist.Entry.Kind;

/**
 * An entry as bytes, in files and in memory alike, little endian: a header, the payload, and zeros up to a multiple of 8.
 *
 * <p>The header, offsets in bytes: 0 {@link #LIVE} or {@link #DROPPED}, 4 CRC-32C of what follows in the header, 8 kind, 12 dest,
 * 16 tag, 20 CRC-32C of the payload, 24 number, 32 sequence, 40 length of the payload. The last three have 8 bytes, the others 4.
 */
final class Records {
  static final int HEADER_BYTES = 48;
  /** Offset of the word that is {@link #LIVE} or {@link #DROPPED}. */
  static final int STATE = 0;
  static final int LIVE = 0x4b524543; // "KREC"
  static final int DROPPED = 0x4b44454c; // "KDEL"

  private static final int HEADER_CHECKSUM = 4;
  private static final int KIND = 8;
  private static final int DEST = 12;
  private static final int TAG = 16;
  private static final int PAYLOAD_CHECKSUM = 20;
  private static final int NUMBER = 24;
  private static final int SEQUENCE = 32;
  private static final int PAYLOAD_BYTES = 40;
  private static final int CHECKED_FROM = KIND;
  private static final Kind[] KINDS = Kind.values();

  private final CRC32C checksum = new CRC32C();
  private final ByteBuffer header = ByteBuffer.allocateDirect(HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);

  /** Bytes of a record. */
  static long length(long payload) {
    return HEADER_BYTES + (payload + 7 & -8);
  }

  /** CRC-32C of a buffer from its position to its limit, which it leaves as they are. */
  int checksum(ByteBuffer bytes) {
    int position = bytes.position();
    checksum.reset();
    checksum.update(bytes);
    bytes.position(position);
    return (int) checksum.getValue();
  }

  /** The header of a record, valid until the next call. */
  ByteBuffer header(Entry entry, ByteBuffer payload) {
    int sum = checksum(payload);
    header.clear();
    header.putInt(STATE, LIVE);
    header.putInt(KIND, entry.kind().ordinal());
    header.putInt(DEST, entry.dest());
    header.putInt(TAG, entry.tag());
    header.putInt(PAYLOAD_CHECKSUM, sum);
    header.putLong(NUMBER, entry.number());
    header.putLong(SEQUENCE, entry.sequence());
    header.putLong(PAYLOAD_BYTES, entry.bytes());
    header.position(CHECKED_FROM);
    int own = checksum(header);
    header.position(0);
    header.putInt(HEADER_CHECKSUM, own);
    return header;
  }

  /** Parses a header of {@value #HEADER_BYTES} bytes at the position; null if it is none. */
  Entry parse(ByteBuffer bytes) {
    int at = bytes.position();
    int state = bytes.getInt(at + STATE);
    int kind = bytes.getInt(at + KIND);
    long length = bytes.getLong(at + PAYLOAD_BYTES);
    if (state != LIVE && state != DROPPED || kind < 0 || kind >= KINDS.length || length < 0) {
      return null;
    }
    int limit = bytes.limit();
    bytes.position(at + CHECKED_FROM).limit(at + HEADER_BYTES);
    int sum = checksum(bytes);
    bytes.limit(limit).position(at);
    if (sum != bytes.getInt(at + HEADER_CHECKSUM)) {
      return null;
    }
    return new Entry(bytes.getLong(at + NUMBER), KINDS[kind], bytes.getInt(at + DEST), bytes.getInt(at + TAG),
        bytes.getLong(at + SEQUENCE), length);
  }

  /** Whether a header from the position on is that of an entry that has not been dropped. */
  static boolean isLive(ByteBuffer bytes) {
    return bytes.getInt(bytes.position() + STATE) == LIVE;
  }

  /** The payload's checksum as a header says. */
  static int payloadChecksum(ByteBuffer bytes) {
    return bytes.getInt(bytes.position() + PAYLOAD_CHECKSUM);
  }

  /** Whether a buffer has the record of this entry from its beginning on, with all of the payload. */
  boolean isWhole(ByteBuffer record, Entry entry) {
    return entry.equals(parse(record))
        && checksum(record.slice(HEADER_BYTES, (int) entry.bytes())) == payloadChecksum(record);
  }

  static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
