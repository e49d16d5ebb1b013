// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package advised;

/** A class in a file of its own, whose fields no other class sees. */
final class ProgramsApart {
  private double sum;
  private static long calls;

  private long counted;

  void add(double value) {
    sum = 0.5 * sum + value;
    calls = 3 * calls + 1;
  }

  void count() {
    counted = 3 * counted + 1;
  }
}
