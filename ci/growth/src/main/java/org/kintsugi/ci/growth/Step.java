// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.growth;

import java.util.Locale;

/**
 * A step of a recovery on ULFM. Each ends when its last process has ended it, so the times of all steps add up to the time
 * of the recovery.
 */
public enum Step {
  /** From the last barrier before the failure until the first process has the error. */
  NOTICE,
  /** Until all processes have it. */
  REVOKE,
  /** From the error to the meeting: in Java, the rollback. */
  UNWIND,
  /** The agreement that ends the epoch. */
  MEET,
  /** {@code MPIX_Comm_shrink}. */
  SHRINK,
  /** The exchange of states. */
  GATHER,
  /** The plan, and {@code MPI_Comm_split}. */
  SPLIT,
  /** The agreement that all have succeeded. */
  AGREE,
  /** Until all have left the first barrier of the next epoch. */
  ENTER;

  static final int COUNT = values().length;

  String title() {
    return name().toLowerCase(Locale.ROOT);
  }
}
