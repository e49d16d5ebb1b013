// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime.internal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A collective that a process is about to call, as it reports it to the launcher, which compares the reports ({@code jmpirun
 * --check}). It travels as one line of text. An empty field stands for something that the call does not have, or on which ranks
 * need not agree.
 *
 * @param comm the communicator: the same text in all of its processes, and in no other
 * @param name what a message calls the communicator
 * @param rank of this process in it
 * @param size of the communicator
 * @param function MPI's function, or another operation of all processes of a communicator
 * @param call the method of Kintsugi that the program has called
 * @param line the line of the program's code
 * @param root which rank
 * @param op the operation
 * @param data count and type of the elements, for messages
 * @param signature of those elements: the same on all ranks
 * @param sends the signatures of the parts that it sends to each rank, with commas between
 * @param receives the signatures of the parts that it expects from each rank, likewise
 */
public record CollectiveCall(String comm, String name, int rank, int size, String function, String call, String line,
    String root, String op, String data, String signature, String sends, String receives) {
  private static final String BETWEEN = "\t";
  private static final int FIELDS = 13;

  /**
   * All of it, in one line.
   *
   * @return without a line break
   */
  public String toLine() {
    List<String> fields = new ArrayList<>();
    for (String text : List.of(comm, name, String.valueOf(rank), String.valueOf(size), function, call, line, root, op, data,
        signature, sends, receives)) {
      fields.add(text.replaceAll("\\s", " "));
    }
    return String.join(BETWEEN, fields);
  }

  /**
   * Parses a line of {@link #toLine}.
   *
   * @param text one line
   * @return the same call
   * @throws IllegalArgumentException if it is no such line
   */
  public static CollectiveCall ofLine(String text) {
    String[] f = text.split(BETWEEN, -1);
    if (f.length != FIELDS) {
      throw new IllegalArgumentException(FIELDS + " fields are expected: " + Arrays.toString(f));
    }
    return new CollectiveCall(f[0], f[1], Integer.parseInt(f[2]), Integer.parseInt(f[3]), f[4], f[5], f[6], f[7], f[8], f[9],
        f[10], f[11], f[12]);
  }
}
