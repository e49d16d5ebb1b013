// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime.internal.protocol;

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
 * @param root which rank; on an intercommunicator, whose ranks are numbered through both groups, also {@link #isRoot} or {@link
 *     #isBesideRoot}
 * @param op the operation
 * @param data count and type of the elements, for messages
 * @param signature of those elements: the same on all ranks
 * @param sends the signatures of the parts that it sends to each rank, with commas between
 * @param receives the signatures of the parts that it expects from each rank, likewise
 */
public record CollectiveCall(String comm, String name, int rank, int size, String function, String call, String line,
    String root, String op, String data, String signature, String sends, String receives) {
  /** The {@link #comm} of the job's own world. */
  public static final String JOB = "job";

  private static final String BETWEEN = "\t";
  private static final int FIELDS = 13;
  private static final String ROOT = " (ROOT)";
  private static final String PROC_NULL = "PROC_NULL";

  /**
   * The {@link #root} of the root itself, on an intercommunicator.
   *
   * @param rank of this process
   * @return as text
   */
  public static String isRoot(int rank) {
    return rank + ROOT;
  }

  /**
   * The {@link #root} of the other ranks in the root's group, on an intercommunicator.
   *
   * @param first rank of that group
   * @param last rank of that group
   * @return as text
   */
  public static String isBesideRoot(int first, int last) {
    return PROC_NULL + " " + first + " " + last;
  }

  /**
   * The root, for messages.
   *
   * @return empty: there is none
   */
  public String rootText() {
    return isBesideRoot() ? PROC_NULL : root;
  }

  /**
   * Whether this call and another one can have the same root.
   *
   * @param other of the same function on the same communicator
   * @return false: they do not match
   */
  public boolean hasRootOf(CollectiveCall other) {
    if (isBesideRoot() && other.isBesideRoot()) {
      return root.equals(other.root);
    } else if (isBesideRoot()) {
      String[] group = root.split(" ");
      int meant = other.rootRank();
      return meant >= Integer.parseInt(group[1]) && meant <= Integer.parseInt(group[2]) && meant != rank;
    } else if (other.isBesideRoot()) {
      return other.hasRootOf(this);
    }
    return root.equals(other.root) || rootRank() == other.rootRank();
  }

  /**
   * Whether the root shows that this is a call on an intercommunicator.
   *
   * @return false also in the group that has no root
   */
  public boolean isOfBothGroups() {
    return root.endsWith(ROOT) || isBesideRoot();
  }

  private boolean isBesideRoot() {
    return root.startsWith(PROC_NULL);
  }

  /** -1: there is none. */
  private int rootRank() {
    return root.isEmpty() ? -1 : Integer.parseInt(root.replace(ROOT, ""));
  }

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
   * @throws IllegalArgumentException if the line has another form
   */
  public static CollectiveCall ofLine(String text) {
    String[] f = text.split(BETWEEN, -1);
    if (f.length != FIELDS) {
      throw new IllegalArgumentException(FIELDS + " fields are expected: " + Arrays.toString(f));
    }
    int rank = (int) Fields.checkRange(Integer.parseInt(f[2]), 0, Line.MOST_PROCESSES);
    int size = (int) Fields.checkRange(Integer.parseInt(f[3]), 0, Line.MOST_PROCESSES);
    return new CollectiveCall(f[0], f[1], rank, size, f[4], f[5], f[6], f[7], f[8], f[9],
        f[10], f[11], f[12]);
  }
}
