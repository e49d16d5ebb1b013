// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime.internal.protocol;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The number of messages of one kind that a process has sent to another, or received from it, as it reports it to the launcher,
 * which compares both sides ({@code jmpirun --check}). It travels as one line of text.
 *
 * @param root the world from which the communicator was made: {@link CollectiveCall#comm}
 * @param comm the communicator
 * @param name what a message to the user calls the communicator
 * @param from the sender's rank
 * @param to the receiver's rank
 * @param isSent false: received
 * @param tag of the messages
 * @param type of their elements; empty: several types
 * @param place the method of Kintsugi and the line of the program
 * @param count how many
 */
public record MessageCount(String root, String comm, String name, int from, int to, boolean isSent, int tag, String type,
    String place, long count) {
  private static final String BETWEEN = "\t";
  private static final int FIELDS = 10;

  /**
   * All of it, in one line.
   *
   * @return without a line break
   */
  public String toLine() {
    return List.of(root, comm, name, from, to, isSent, tag, type, place, count).stream()
        .map(field -> field.toString().replaceAll("\\s", " ")).collect(Collectors.joining(BETWEEN));
  }

  /**
   * Parses a line of {@link #toLine}.
   *
   * @param text one line
   * @return the same count
   * @throws IllegalArgumentException if the line has another form
   */
  public static MessageCount ofLine(String text) {
    String[] f = text.split(BETWEEN, -1);
    if (f.length != FIELDS) {
      throw new IllegalArgumentException(FIELDS + " fields are expected: " + Arrays.toString(f));
    }
    int from = (int) Fields.checkRange(Integer.parseInt(f[3]), 0, Line.MOST_PROCESSES);
    int to = (int) Fields.checkRange(Integer.parseInt(f[4]), 0, Line.MOST_PROCESSES);
    long count = Fields.checkRange(Long.parseLong(f[9]), 0, Long.MAX_VALUE);
    return new MessageCount(f[0], f[1], f[2], from, to, Boolean.parseBoolean(f[5]),
        Integer.parseInt(f[6]), f[7], f[8], count);
  }
}
