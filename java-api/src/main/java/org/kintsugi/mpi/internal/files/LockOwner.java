// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.kintsugi.runtime.JobConfig;
import org.kintsugi.runtime.internal.InRecovery;

/**
 * A process that has taken a lock: its job, and the epoch then. A process of the same job and of a
 * later epoch is its successor: the earlier process was declared failed, even if it still runs (stopped
 * for a while, or on a node that was cut off).
 *
 * @param job the same for all processes of a job: the runtime's name for it, made of a host and a process id
 * @param epoch of the Reinit run; 0 in its first epoch, and without a run
 * @param isShared whether an earlier one may still write to the locked files
 * @param mark tells jobs apart that have the same name, as in two containers: jmpirun's name for the job; without jmpirun, where
 *     the process runs. Empty: not known
 */
public record LockOwner(String job, long epoch, boolean isShared, String mark) {
  private static final String BY_NAME = "name:";
  private static final String BY_PLACE = "place:";
  private static final String MARK = ofThisProcess();
  private static final String JOB = jobOf(System.getenv("PMIX_NAMESPACE"));
  /** Of a record without a mark. */
  private static final int WORDS = 3;
  private static volatile long currentEpoch;

  /** An owner whose mark is not known. */
  public LockOwner(String job, long epoch, boolean isShared) {
    this(job, epoch, isShared, "");
  }

  /** A new epoch begins in this process. */
  @InRecovery
  public static void enter(long epoch) {
    currentEpoch = epoch;
  }

  /** That of this process, as of now. */
  public static LockOwner now() {
    return new LockOwner(JOB, currentEpoch, false, MARK);
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

  private static String ofThisProcess() {
    String name = JobConfig.JOB_NAME.value();
    if (!name.isEmpty()) {
      return BY_NAME + name;
    }
    try {
      // The host since its start, and the namespace in which process ids count there.
      String boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).trim();
      return BY_PLACE + boot + ":" + Files.readSymbolicLink(Path.of("/proc/self/ns/pid"));
    } catch (IOException unknown) {
      return "";
    }
  }

  /** Whether the other owner was declared failed before this one began. */
  boolean succeeds(LockOwner other) {
    return isOfSameJob(other) && epoch > other.epoch;
  }

  /** Whether the other process belongs to the same job, as far as that is known. */
  boolean isOfSameJob(LockOwner other) {
    return other != null && job.equals(other.job) && isOfJobOf(other);
  }

  private boolean isOfJobOf(LockOwner other) {
    // Without jmpirun, processes on two hosts have no more in common than the runtime's name.
    boolean isOnOtherHost =
        mark.startsWith(BY_PLACE) && other.mark.startsWith(BY_PLACE) && !boot(mark).equals(boot(other.mark));
    return mark.isEmpty() || other.mark.isEmpty() || mark.equals(other.mark) || isOnOtherHost;
  }

  private static String boot(String place) {
    return place.substring(BY_PLACE.length()).replaceFirst(":.*", "");
  }

  /** The same, or not, as far as {@link #isShared} goes. */
  LockOwner shared(boolean shared) {
    return new LockOwner(job, epoch, shared, mark);
  }

  /** As {@link #parse} reads it. */
  String text() {
    return job + " " + epoch + (isShared ? " shared" : " alone") + (mark.isEmpty() ? "" : " " + mark) + "\n";
  }

  /** Reads a record, of which only the first line counts; null: it is empty, or not complete. */
  static LockOwner parse(String text) {
    int end = text.indexOf('\n');
    String[] words = text.substring(0, Math.max(end, 0)).split(" ");
    try {
      return words.length < WORDS || words.length > WORDS + 1 ? null
          : new LockOwner(words[0], Long.parseLong(words[1]), words[2].equals("shared"),
              words.length > WORDS ? words[WORDS] : "");
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
