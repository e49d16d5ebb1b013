// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime.internal.protocol;

/** A line of the protocol between {@code jmpirun} and the processes of its job. */
public sealed interface Line permits FromProcess, FromLauncher, HandshakeLine, OutputLine {
  /** The longest line of a client before it has proved that it is of the job, in bytes. */
  int LONGEST_OF_STRANGER = 4096;

  /** The longest line after the proof: a call of {@code --check} has a number for each of a million ranks. */
  int LONGEST = 1 << 26;

  /** The longest line of the launcher: it has names of jobs and hosts. */
  int LONGEST_OF_LAUNCHER = 1 << 16;

  /** The longest name of a job, a host or a meeting, in characters. */
  int LONGEST_NAME = 512;

  /** The largest number of processes, and a bound for ranks. */
  int MOST_PROCESSES = 1 << 24;

  /**
   * All of it.
   *
   * @return without a line break and without control characters, except for tabulators between fields
   */
  String toLine();

  /**
   * A text as it may be printed: a terminal obeys control characters, and some others change the order of what is seen.
   *
   * @param text of a peer or a program; tabulators separate fields
   * @return with {@code ?} for each such character
   */
  static String printable(String text) {
    return Fields.printable(text);
  }
}
