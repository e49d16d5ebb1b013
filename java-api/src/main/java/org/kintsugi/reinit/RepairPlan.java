// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.kintsugi.reinit.Provider.Ending;
import org.kintsugi.reinit.Provider.Verdict;
import org.kintsugi.runtime.internal.InRecovery;

/**
 * Assigns ranks after a failure: step 4 of {@link UlfmProvider}. Survivors keep their ranks; the lowest spares get the free ranks
 * in ascending order. If the run continues with fewer ranks, the ranks are numbered without gaps, in the same order.
 *
 * <p>This is a pure function of the rows that all processes gathered (ints, in the order of their communicator), so every process
 * computes the same. Each row also has the policy and whether new processes may come. All processes must decide from the same
 * values, or they would wait in different collectives.
 */
@InRecovery
final class RepairPlan {
  /** The role of a process without a rank in the world. */
  static final int SPARE = -1;

  private static final int ROLE = 0;
  private static final int ENDING = 1;
  private static final int EPOCH = 2;
  private static final int WORLD_SIZE = 3;
  private static final int ORIGINAL_SIZE = 4;
  static final int POLICY = 5;
  private static final int ADMITS = 6;
  private static final int TIMES = 7;
  private static final int FIELDS = TIMES + RecoveryTimes.FIELDS;

  private static final int DONE = Ending.DONE.ordinal();
  private static final int THREW = Ending.THREW.ordinal();

  /** Kept, because values() makes a copy on each call, and a recovery must be quick. */
  private static final Policy[] POLICIES = Policy.values();

  private final int[] rows;
  private final int processes;
  private final int[] roles;
  private final List<Integer> holes = new ArrayList<>();
  private final int missing;
  private final int oldSize;
  private final int worldSize;
  private final int originalSize;
  private final int epoch;
  private final int spares;
  private final int teacher;
  private final Verdict verdict;
  private final boolean isSpawnNeeded;
  private final boolean mayCome;

  /**
   * Reads all rows in one pass, without a call for each: the JVM interprets this code, in every process at once, and its
   * time grows with the number of processes.
   */
  RepairPlan(int... rows) {
    this.rows = rows;
    processes = rows.length / FIELDS;
    roles = new int[processes];
    int size = 0;
    int original = 0;
    int newest = 0;
    int admits = -1;
    int first = -1;
    int idle = 0;
    boolean hasNew = false;
    boolean allDone = true;
    boolean anyThrew = false;
    for (int i = 0, at = 0; i < processes; i++, at += FIELDS) {
      int role = rows[at + ROLE];
      int ending = rows[at + ENDING];
      int known = rows[at + WORLD_SIZE];
      roles[i] = role;
      if (known == 0) {
        hasNew = true;
      } else if (first < 0) {
        first = i;
      }
      if (role == SPARE) {
        idle++;
      } else if (ending != DONE) {
        allDone = false;
      }
      anyThrew |= ending == THREW;
      admits &= rows[at + ADMITS];
      size = known > size ? known : size;
      original = rows[at + ORIGINAL_SIZE] > original ? rows[at + ORIGINAL_SIZE] : original;
      newest = rows[at + EPOCH] > newest ? rows[at + EPOCH] : newest;
    }
    oldSize = size;
    originalSize = original;
    epoch = newest;
    teacher = hasNew ? first : -1;
    mayCome = (admits & Admits.MAY_COME) != 0;
    // The policy of the first process that has taken part in the run, so that all have the same: replacements may have another.
    // The conditions for new processes must hold on every process.
    Policy policy = Admits.policy(POLICIES[rows[Math.max(first, 0) * FIELDS + POLICY]],
        (admits & Admits.IN_FIRST_RUN) != 0, mayCome);
    boolean[] alive = new boolean[size];
    for (int role : roles) {
      if (role != SPARE) {
        alive[role] = true;
      }
    }
    for (int rank = 0; rank < size; rank++) {
      if (!alive[rank]) {
        holes.add(rank);
      }
    }
    int filled = holes.isEmpty() ? 0 : fillHoles();
    spares = idle - filled;
    missing = holes.size() - filled;
    worldSize = missing == 0 ? size : renumber();
    if (anyThrew) {
      verdict = Verdict.ABORTED;
    } else if (allDone && holes.isEmpty()) {
      verdict = Verdict.FINISHED;
    } else if (missing > 0 && policy == Policy.RESTART) {
      verdict = Verdict.RESTART;
    } else {
      verdict = Verdict.RECOVERED;
    }
    boolean adds = policy == Policy.SPAWN || policy == Policy.SPAWN_TOGETHER;
    isSpawnNeeded = adds && missing > 0 && verdict == Verdict.RECOVERED;
  }

  /** Whether a process that waits to be called may still come; else new ones are spawned, with SPAWN_TOGETHER. */
  boolean mayCome() {
    return mayCome;
  }

  /**
   * The row of one process, with room for its times.
   *
   * @param policy its option
   * @param admits what it knows of new processes: {@link Admits}
   */
  static int[] row(int role, Ending ending, int epoch, int worldSize, int originalSize, Policy policy, int admits) {
    int[] row = new int[FIELDS];
    row[ROLE] = role;
    row[ENDING] = ending.ordinal();
    row[EPOCH] = epoch;
    row[WORLD_SIZE] = worldSize;
    row[ORIGINAL_SIZE] = originalSize;
    row[POLICY] = policy.ordinal();
    row[ADMITS] = admits;
    return row;
  }

  /** Puts a process's times into its row. */
  static void tellTimes(int[] row, RecoveryTimes times, boolean learned, long moment) {
    times.tell(row, TIMES, learned, moment);
  }

  private int fillHoles() {
    int filled = 0;
    for (int i = 0; i < processes && filled < holes.size(); i++) {
      if (roles[i] == SPARE) {
        roles[i] = holes.get(filled++);
      }
    }
    return filled;
  }

  /** Closes the gaps that no spare fills; the order of ranks stays. */
  private int renumber() {
    int[] taken = new int[processes];
    int n = 0;
    for (int role : roles) {
      if (role != SPARE) {
        taken[n++] = role;
      }
    }
    taken = Arrays.copyOf(taken, n);
    Arrays.sort(taken);
    for (int i = 0; i < processes; i++) {
      if (roles[i] != SPARE) {
        roles[i] = Arrays.binarySearch(taken, roles[i]);
      }
    }
    return n;
  }

  Verdict verdict() {
    return verdict;
  }

  /** Whether this many ({@link #missing}) processes are to be added before a plan can be carried out. */
  boolean isSpawnNeeded() {
    return isSpawnNeeded;
  }

  /** The number of ranks without a process. */
  int missing() {
    return missing;
  }

  /** The rank in the new world of the process with this rank among all, or {@link #SPARE}. */
  int roleOf(int process) {
    return roles[process];
  }

  int worldSize() {
    return worldSize;
  }

  /** The number of ranks that the world had. */
  int oldSize() {
    return oldSize;
  }

  /** The first process that can send new processes the history, which they lack; -1: there are none. */
  int teacher() {
    return teacher;
  }

  /** The ranks of the failed processes in the old world. */
  List<Integer> failedRanks() {
    return List.copyOf(holes);
  }

  int spares() {
    return spares;
  }

  /** The highest epoch of all processes; a new process reports 0. */
  int epoch() {
    return epoch;
  }

  int originalSize() {
    return originalSize;
  }

  /** Computes the recovery times from those of all processes. */
  void hearTimes(RecoveryTimes times, long moment) {
    times.hearAll(rows, TIMES, FIELDS);
    times.end(moment);
  }
}
