// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.ranks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets the ranks of a job meet before one of them dies: by files, without MPI. From a barrier of MPI one may leave, and die,
 * while another is still inside, which then gets the failure there and not where the test wants it.
 */
public final class Meeting {
  private static final long LOOK_MILLIS = 5;

  private Meeting() {}

  /**
   * Says that this rank is there, and waits until all are. The job's time limit ends the wait.
   *
   * @param folder the first argument of the rank's main method
   * @param name of the meeting; each is used once in a job
   * @param rank this one
   * @param ranks how many are to come
   */
  public static void of(String folder, String name, int rank, int ranks) {
    try {
      Files.write(Path.of(folder, name + "-" + rank), new byte[0]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    for (int other = 0; other < ranks; other++) {
      await(Path.of(folder, name + "-" + other));
    }
  }

  /** Waits until a file is there. */
  public static void await(Path file) {
    while (!Files.exists(file)) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS));
    }
  }
}
