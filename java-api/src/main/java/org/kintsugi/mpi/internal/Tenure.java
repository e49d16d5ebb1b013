// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal;

/**
 * In which epoch of which job a process has taken charge of a file or a folder. A process of the same job and of a later epoch is
 * its successor: the earlier one has been given up, even if it still runs (stopped for a while, or on a node that was cut off).
 *
 * @param job the same for all processes of a job, and no other living job's
 * @param epoch of the Reinit run; 0 in its first epoch, and without a run
 */
public record Tenure(String job, long epoch) {
  private static final String JOB = jobOf(System.getenv("PMIX_NAMESPACE"));
  private static volatile long currentEpoch;

  /** A new epoch begins in this process. */
  public static void enter(long epoch) {
    currentEpoch = epoch;
  }

  /** That of this process, as of now. */
  public static Tenure now() {
    return new Tenure(JOB, currentEpoch);
  }

  /** Processes that were spawned belong to the job of those that spawned them: {@code name@2} and {@code name@1}. */
  static String jobOf(String namespace) {
    if (namespace == null || namespace.isBlank()) {
      return "process-" + ProcessHandle.current().pid();
    }
    int spawn = namespace.lastIndexOf('@');
    return (spawn < 0 ? namespace : namespace.substring(0, spawn)).replace(' ', '_');
  }

  /** Whether whoever had the other one was given up before this one began. */
  boolean succeeds(Tenure other) {
    return other != null && job.equals(other.job) && epoch > other.epoch;
  }

  /** As {@link #parse} reads it. */
  String text() {
    return job + " " + epoch + "\n";
  }

  /** Null: the text says nothing, or not all of it has been written. */
  static Tenure parse(String text) {
    int space = text.indexOf(' ');
    int end = text.indexOf('\n');
    try {
      return space > 0 && end > space ? new Tenure(text.substring(0, space), Long.parseLong(text.substring(space + 1, end)))
          : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
