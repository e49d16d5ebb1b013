// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime.internal.advice;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A location of a process, a protected item, or a fact about the process: a line of its file.
 *
 * @param verdict what it means for checkpoints
 * @param name of the variable or item; of the exception that has ended the program
 * @param type of its value, as the source has it
 * @param definition the file and line where it gets its first value
 * @param reads where iterations read values of earlier ones, at most three places
 * @param writes where iterations change it, at most three places
 * @param elements which elements, and of how many; empty: it has none
 * @param bytes of the data; -1: not known. Of the process: the number of iterations
 * @param call the call that protects it; empty: none does
 * @param note a sentence more; empty: none
 */
public record Finding(Verdict verdict, String name, String type, String definition, List<String> reads, List<String> writes,
    String elements, long bytes, String call, String note) {
  /** Follows the name of a variable where its reference is meant, and not the array or object to which it refers. */
  public static final String REFERENCE = " (reference)";

  private static final String LIST = "\u0001";
  private static final int FIELDS = 10;

  /** What a finding means. */
  public enum Verdict {
    /** It must be protected, and is not. */
    MISSING,
    /** It must be saved, and no checkpoint can save it as it is. */
    STATE,
    /** A file that iterations share; no version has it. */
    FILE,
    /** It was filled once: it may be a cache. */
    ONCE,
    /** Only the code after the loop reads it. */
    LAST,
    /** It counts the iterations. */
    COUNTER,
    /** A protected item that saves some only of the arrays that a variable has in turn. */
    PARTLY,
    /** A protected item that is needed. */
    PROTECTED,
    /** A protected item that no iteration needs. */
    SUPERFLUOUS,
    /** A protected item that the user wants to count as not protected. */
    LEFT_OUT,
    /** The process: its number of iterations; the note has the iteration in which a failure tells most, or -1. */
    PROCESS,
    /** After a restore the program found the same values here as before. */
    AGAIN,
    /** After a restore the program found other values here. */
    OTHER,
    /** The program ended with an exception. */
    FAILED,
    /** A sentence for the user. */
    WARNING
  }

  /**
   * Whether it is about a protected item, and not about a location.
   *
   * @return true for items that count as not protected, too
   */
  public boolean isItem() {
    return verdict.compareTo(Verdict.PARTLY) >= 0 && verdict.compareTo(Verdict.LEFT_OUT) <= 0;
  }

  /**
   * Whether it is about a variable that refers to objects, and not about their contents.
   *
   * @return false as well for numbers
   */
  public boolean isReference() {
    boolean isObject = type.contains(".") || type.endsWith("]") || !type.isEmpty() && Character.isUpperCase(type.charAt(0));
    return isObject && elements.isEmpty() && bytes >= 0;
  }

  /**
   * The finding as a line of a file.
   *
   * @return the line without its end
   */
  public String line() {
    List<String> fields = new ArrayList<>(List.of(verdict.name(), name, type, definition, String.join(LIST, reads),
        String.join(LIST, writes), elements, String.valueOf(bytes), call, note));
    return fields.stream().map(field -> field.replace('\t', ' ').replace('\n', ' ').replace('\r', ' '))
        .collect(Collectors.joining("\t"));
  }

  /**
   * Reads a line.
   *
   * @param line without its end
   * @return null: it has another form
   */
  public static Finding of(String line) {
    String[] fields = line.split("\t", -1);
    if (fields.length != FIELDS) {
      return null;
    }
    try {
      return new Finding(Verdict.valueOf(fields[0]), fields[1], fields[2], fields[3], list(fields[4]), list(fields[5]), fields[6],
          Long.parseLong(fields[7]), fields[8], fields[9]);
    } catch (IllegalArgumentException otherVersion) {
      return null;
    }
  }

  private static List<String> list(String text) {
    return text.isEmpty() ? List.of() : List.of(text.split(LIST));
  }
}
