// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments.revoke;

import java.nio.file.Path;

/** One repetition of {@link RevokeMeasurement} in C, {@code native/twins/revoke.c}: the steps are the same, line by line. */
final class RevokeTwin {
  private RevokeTwin() {}

  /** @param library the C twins, which a checkout has */
  static void load(Path library) {
    System.load(library.toAbsolutePath().toString());
  }

  /**
   * Plan A until it is revoked, then plan B.
   *
   * @param count of doubles; 0: a barrier
   * @param seconds where the time of each step goes, an off-heap array of doubles
   * @return the number of calls with an unexpected result
   */
  static native int revoke(long planA, long planB, long send, long receive, int count, int initiator, long seconds);
}
