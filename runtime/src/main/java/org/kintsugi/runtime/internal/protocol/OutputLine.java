// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime.internal.protocol;

/**
 * Lines that ranks print on stderr for the launcher, in the flavour reinit: {@link #PREFIX}, the job's name, a blank, and one of
 * these.
 */
public sealed interface OutputLine extends Line {
  /** The beginning of each of them. */
  String PREFIX = "kintsugi-launcher: ";

  /** The highest exit code. */
  int MOST_CODES = 255;

  /**
   * End the job.
   *
   * @param code with which it ends
   */
  record End(int code) implements OutputLine {
    private static final String KIND = "end";

    /**
     * Refuses what is no exit code.
     *
     * @param code with which it ends
     */
    public End {
      Fields.checkRange(code, 0, MOST_CODES);
    }

    @Override
    public String toLine() {
      return KIND + " " + code;
    }
  }

  /** Roll all processes of the job back. */
  record RollBack() implements OutputLine {
    private static final String KIND = "roll-back";

    @Override
    public String toLine() {
      return KIND;
    }
  }

  /**
   * All of it, as it is printed.
   *
   * @param job the name of the job, which no text of the program contains
   * @return without a line break
   */
  default String ofJob(String job) {
    return PREFIX + job + " " + toLine();
  }

  /**
   * Parses a line.
   *
   * @param line without {@link #PREFIX}, the job's name and a blank
   * @return the same line
   * @throws IllegalArgumentException if it is none
   */
  static OutputLine parse(String line) {
    Fields fields = Fields.of(line, LONGEST_OF_STRANGER);
    return fields.only(switch (fields.word()) {
      case End.KIND -> new End(fields.number());
      case RollBack.KIND -> new RollBack();
      default -> throw new IllegalArgumentException("not a line for the launcher");
    });
  }
}
