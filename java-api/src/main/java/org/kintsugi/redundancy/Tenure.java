// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.redundancy;

/**
 * The epoch of a job in which a process has taken a lock. A process of the same job and of a later epoch is its successor: the
 * earlier one has been given up, even if it still runs (stopped for a while, or on a node that was cut off).
 *
 * @param job the same for all processes of a job, and no other living job's
 * @param epoch of the Reinit run; 0 in its first epoch, and without a run
 * @param isShared whether an earlier one may still write to the locked files
 */
public record Tenure(String job, long epoch, boolean isShared) {
  private static final String JOB = jobOf(System.getenv("PMIX_NAMESPACE"));
  private static volatile long currentEpoch;

  /** A new epoch begins in this process. */
  public static void enter(long epoch) {
    currentEpoch = epoch;
  }

  /** That of this process, as of now. */
  public static Tenure now() {
    return new Tenure(JOB, currentEpoch, false);
  }

  /**
   * Under mpirun, which has one job, processes that were spawned belong to the job of those that spawned them: {@code
   * prterun-name@2} and {@code prterun-name@1}. A daemon of PRRTE that stays ({@code prte}) numbers its jobs in the same way, and
   * those are strangers.
   */
  static String jobOf(String namespace) {
    if (namespace == null || namespace.isBlank()) {
      return "process-" + ProcessHandle.current().pid();
    }
    int spawn = namespace.startsWith("prterun-") ? namespace.lastIndexOf('@') : -1;
    return (spawn < 0 ? namespace : namespace.substring(0, spawn)).replace(' ', '_');
  }

  /** Whether the process of the other tenure was given up before this one began. */
  boolean succeeds(Tenure other) {
    return other != null && job.equals(other.job) && epoch > other.epoch;
  }

  /** The same, or not, as far as {@link #isShared} goes. */
  Tenure shared(boolean shared) {
    return new Tenure(job, epoch, shared);
  }

  /** As {@link #parse} reads it. */
  String text() {
    return job + " " + epoch + (isShared ? " shared" : " alone") + "\n";
  }

  /** Reads a record, of which only the first line counts; null: it is empty, or not complete. */
  static Tenure parse(String text) {
    int end = text.indexOf('\n');
    String[] words = text.substring(0, Math.max(end, 0)).split(" ");
    try {
      return words.length == 3 ? new Tenure(words[0], Long.parseLong(words[1]), words[2].equals("shared")) : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
