// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.fti;

import org.kintsugi.checkpoint.internal.image.ComposedImage;
import org.kintsugi.checkpoint.internal.image.ImageMemory;
import org.kintsugi.mpi.Buf;

/**
 * Splits a rank's image into three FTI data sets: what precedes the program's off-heap memory, that memory itself (not copied),
 * and the rest. FTI requires the same number of data sets on all ranks, so an image without such memory is split as well. Zeros
 * at the end of the third set fill the total to a multiple of 64.
 */
final class ImageParts {
  static final int COUNT = 3;

  /** FTI's level 3 is correct only for files of an even number of bytes. */
  private static final long ALIGNMENT = 64;

  /** The length of the first part if there is no memory to point at: an image begins with a word. */
  private static final long WORD = 8;

  private final long[] addresses;
  private final long[] bytes;
  private final Buf room;
  private final long checksum;

  /** @param direct the middle part; null if that, too, is in the room */
  private ImageParts(Buf room, long[] bytes, ComposedImage.Direct direct, long checksum) {
    this.room = room;
    this.bytes = bytes;
    this.checksum = checksum;
    long next = room.address() + bytes[0];
    addresses = direct == null ? new long[] {room.address(), next, next + bytes[1]}
        : new long[] {room.address(), direct.address(), next};
  }

  /** The parts of an image that is to be saved; the room takes what must be copied. */
  static ImageParts of(ComposedImage image, ImageMemory room) {
    long all = (image.bytes() / ALIGNMENT + 1) * ALIGNMENT;
    ComposedImage.Direct direct = image.direct();
    long copied = image.bytes() - (direct == null ? 0 : direct.bytes());
    Buf copy = room.open(copied + all - image.bytes());
    for (long at = copied; at < copy.bytes(); at++) {
      copy.putByte(at, (byte) 0);
    }
    long first = direct == null ? WORD : direct.at();
    long second = direct == null ? image.bytes() - WORD : direct.bytes();
    return new ImageParts(copy, new long[] {first, second, all - first - second}, direct, image.copyRest(copy));
  }

  /** Room for parts that are to be read back. */
  static ImageParts toRead(long[] bytes, ImageMemory room) {
    return new ImageParts(room.open(bytes[0] + bytes[1] + bytes[2]), bytes, null, 0);
  }

  long address(int part) {
    return addresses[part];
  }

  long bytes(int part) {
    return bytes[part];
  }

  /** The CRC-32C of an image that is to be saved. */
  long checksum() {
    return checksum;
  }

  /** The image that was read, padding zeros included. */
  Buf whole() {
    return room;
  }
}
