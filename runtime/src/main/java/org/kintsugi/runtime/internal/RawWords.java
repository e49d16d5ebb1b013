// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime.internal;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Words of a command line as strings from which their very bytes can be had again. The system's words are bytes; the JVM decodes
 * them by the locale, and what the locale does not know is lost. Here a byte that is no UTF-8 becomes a lone surrogate, from
 * U+DC80 to U+DCFF, as in Python (PEP 383): no valid text has one.
 */
public final class RawWords {
  private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");
  private static final int ESCAPE = 0xdc00;
  private static final int FIRST_ESCAPED = 0x80;
  private static final int BYTE = 0xff;

  private RawWords() {}

  /**
   * The words that this process was started with, the program first.
   *
   * @return a new list
   * @throws IOException if the system does not tell
   */
  public static List<String> ofThisProcess() throws IOException {
    List<String> words = new ArrayList<>();
    byte[] line = Files.readAllBytes(COMMAND_LINE);
    int from = 0;
    for (int i = 0; i < line.length; i++) {
      if (line[i] == 0) { // ends each word
        words.add(decode(line, from, i));
        from = i + 1;
      }
    }
    return words;
  }

  /**
   * Bytes as a string.
   *
   * @param bytes UTF-8, or anything else
   * @return the string for {@link #encode}
   */
  public static String decode(byte[] bytes) {
    return decode(bytes, 0, bytes.length);
  }

  private static String decode(byte[] bytes, int from, int to) {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    ByteBuffer in = ByteBuffer.wrap(bytes, from, to - from);
    CharBuffer out = CharBuffer.allocate(to - from);
    CoderResult result = decoder.decode(in, out, true);
    while (result.isError()) {
      for (int i = 0; i < result.length(); i++) {
        out.put((char) (ESCAPE + (in.get() & BYTE)));
      }
      result = decoder.reset().decode(in, out, true);
    }
    return out.flip().toString();
  }

  /**
   * The bytes of a string.
   *
   * @param word from {@link #decode}, or any other
   * @return UTF-8, but for the escaped bytes, which come back as they were
   */
  public static byte[] encode(String word) {
    if (!hasRawBytes(word)) {
      return word.getBytes(StandardCharsets.UTF_8);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(word.length());
    int from = 0;
    for (int i = 0; i < word.length(); i++) {
      if (isEscape(word, i)) {
        bytes.writeBytes(word.substring(from, i).getBytes(StandardCharsets.UTF_8));
        bytes.write(word.charAt(i) - ESCAPE);
        from = i + 1;
      }
    }
    bytes.writeBytes(word.substring(from).getBytes(StandardCharsets.UTF_8));
    return bytes.toByteArray();
  }

  /**
   * Whether there are bytes in it that are no UTF-8.
   *
   * @param word from {@link #decode}, or any other
   * @return false for valid text
   */
  public static boolean hasRawBytes(String word) {
    for (int i = 0; i < word.length(); i++) {
      if (isEscape(word, i)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isEscape(String word, int i) {
    char one = word.charAt(i);
    return one >= ESCAPE + FIRST_ESCAPED && one <= ESCAPE + BYTE && (i == 0 || !Character.isHighSurrogate(word.charAt(i - 1)));
  }
}
