// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.launcher;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads lines of text in UTF-8. Java's readers lose data if an error is thrown in them, for
 * instance if the heap is full. This reader can be called again after an error, and loses nothing.
 */
final class LineReader {
  private static final int CHUNK_BYTES = 1 << 13;
  private static final int USUAL_BYTES = 256;

  private final InputStream in;
  private final int longest;
  private final byte[] chunk = new byte[CHUNK_BYTES];
  private int from;
  private int to;
  private byte[] line = new byte[USUAL_BYTES];
  private int length;

  /**
   * Makes a reader.
   *
   * @param longest the longest line, in bytes
   */
  LineReader(InputStream in, int longest) {
    this.in = in;
    this.longest = longest;
  }

  /** Whether there is something to read, at least a part of a line. */
  boolean isReady() throws IOException {
    return from < to || in.available() > 0;
  }

  /** The next line; null at the end of the stream. */
  String next() throws IOException {
    while (true) {
      while (from < to) {
        if (chunk[from] == '\n') {
          String text = new String(line, 0, length, StandardCharsets.UTF_8);
          length = 0;
          from++;
          return text;
        }
        if (length == longest) {
          throw new IOException("a line of more than " + longest + " bytes");
        }
        if (length == line.length) {
          line = Arrays.copyOf(line, Math.min(longest, 2 * length));
        }
        line[length++] = chunk[from++];
      }
      int count = in.read(chunk);
      if (count < 0) {
        return null;
      }
      from = 0;
      to = count;
    }
  }
}
