// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime.internal.protocol;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The rank of a process in a communicator, as it reports it to the launcher ({@code jmpirun --check}). It travels as one line of
 * text.
 *
 * @param comm the communicator: {@link CollectiveCall#comm}
 * @param rank in it
 * @param size of it
 * @param home the name, for messages, of the world from which the communicator was made
 * @param homeRank the process's rank in that world
 */
public record CommMember(String comm, int rank, int size, String home, int homeRank) {
  private static final String BETWEEN = "\t";
  private static final int FIELDS = 5;

  /**
   * All of it, in one line.
   *
   * @return without a line break
   */
  public String toLine() {
    return List.of(comm, rank, size, home, homeRank).stream().map(field -> field.toString().replaceAll("\\s", " "))
        .collect(Collectors.joining(BETWEEN));
  }

  /**
   * Parses a line of {@link #toLine}.
   *
   * @param text one line
   * @return the same
   * @throws IllegalArgumentException if the line has another form
   */
  public static CommMember ofLine(String text) {
    String[] f = text.split(BETWEEN, -1);
    if (f.length != FIELDS) {
      throw new IllegalArgumentException(FIELDS + " fields are expected: " + Arrays.toString(f));
    }
    int rank = (int) Fields.checkRange(Integer.parseInt(f[1]), 0, Line.MOST_PROCESSES);
    int size = (int) Fields.checkRange(Integer.parseInt(f[2]), 0, Line.MOST_PROCESSES);
    int homeRank = (int) Fields.checkRange(Integer.parseInt(f[4]), 0, Line.MOST_PROCESSES);
    return new CommMember(f[0], rank, size, f[3], homeRank);
  }
}
