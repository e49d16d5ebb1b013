// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime.internal.protocol;

/** Takes the fields of a line one by one, separated by single blanks; and the checks that all lines share. */
final class Fields {
  private static final int MOST_DIGITS = 19;

  private final String line;
  private int at; // after the end: all fields were taken

  private Fields(String line) {
    this.line = line;
  }

  /** Begins to parse a line: refuses one that is too long. */
  static Fields of(String line, int longest) {
    if (line.length() > longest) {
      throw new IllegalArgumentException("a line of more than " + longest + " characters");
    }
    return new Fields(line);
  }

  /** The next word, which may be empty: a kind, a number or a name, which have no control characters. */
  String word() {
    if (at > line.length()) {
      throw new IllegalArgumentException("a field is missing");
    }
    int blank = line.indexOf(' ', at);
    int end = blank < 0 ? line.length() : blank;
    String word = line.substring(at, end);
    at = end + 1;
    return word;
  }

  /** All that is left, with its blanks, as {@link Line#printable} returns it: it has texts of the program. */
  String rest() {
    if (at > line.length()) {
      throw new IllegalArgumentException("a field is missing");
    }
    String rest = printable(line.substring(at));
    at = line.length() + 1;
    return rest;
  }

  /** Whether all fields were taken. */
  boolean isEnd() {
    return at > line.length();
  }

  /** The next word, as a number. */
  long longNumber() {
    String word = word();
    if (word.length() > MOST_DIGITS + 1 || word.startsWith("+")) {
      throw new IllegalArgumentException("a number is expected");
    }
    return Long.parseLong(word);
  }

  /** The next word, as a number. */
  int number() {
    return (int) checkRange(longNumber(), Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  /** Refuses a line with more fields; returns its argument. */
  <T> T only(T parsed) {
    if (!isEnd()) {
      throw new IllegalArgumentException("a line has too many fields");
    }
    return parsed;
  }

  /** Refuses a name that cannot be a field of a line. */
  static void checkName(String name) {
    if (name.isEmpty() || name.length() > Line.LONGEST_NAME || name.indexOf(' ') >= 0 || name.indexOf('\t') >= 0
        || firstUnprintable(name) < name.length()) {
      throw new IllegalArgumentException("a name of 1 to " + Line.LONGEST_NAME + " printable characters is expected");
    }
  }

  /** Refuses a number out of range; returns its argument. */
  static long checkRange(long number, long least, long most) {
    if (number < least || number > most) {
      throw new IllegalArgumentException("a number from " + least + " to " + most + " is expected: " + number);
    }
    return number;
  }

  /** See {@link Line#printable}. */
  static String printable(String text) {
    int at = firstUnprintable(text);
    if (at == text.length()) {
      return text;
    }
    char[] all = text.toCharArray();
    for (; at < all.length; at++) {
      all[at] = isPrintable(all[at]) ? all[at] : '?';
    }
    return new String(all);
  }

  private static int firstUnprintable(String text) {
    int at = 0;
    while (at < text.length() && isPrintable(text.charAt(at))) {
      at++;
    }
    return at;
  }

  private static boolean isPrintable(char one) {
    if (one >= ' ' && one <= '~' || one == '\t') {
      return true;
    }
    int kind = Character.getType(one);
    return kind != Character.CONTROL && kind != Character.FORMAT && kind != Character.LINE_SEPARATOR
        && kind != Character.PARAGRAPH_SEPARATOR;
  }
}
