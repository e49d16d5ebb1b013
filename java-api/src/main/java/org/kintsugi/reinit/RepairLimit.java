// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

import java.util.function.BooleanSupplier;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.mpi.MpiConfig;
import org.kintsugi.mpi.internal.Deadline;

/**
 * The limit of a meeting, and of the repair that may follow: at its end the job ends, to be started again.
 *
 * <p>A process whose body has ended may wait in the meeting for as long as the others compute. The time counts from when a
 * failure is known: it has made this process roll back, or has revoked the epoch's communicators meanwhile, or the repair has
 * begun.
 */
final class RepairLimit implements BooleanSupplier, AutoCloseable {
  private volatile boolean counts;
  private final Deadline deadline;

  RepairLimit(boolean counts) {
    this.counts = counts;
    deadline = Deadline.begin(MpiConfig.RECOVERY_TIMEOUT_SECONDS.longValue(), this,
        "a recovery has not ended in time (-D" + MpiConfig.RECOVERY_TIMEOUT_SECONDS.property()
            + "): some process does not come to it, or a call of MPI in it does not return");
  }

  /** The meeting is over, and the repair begins: the time counts from now on, in any case. */
  void count() {
    counts = true;
    deadline.restart();
  }

  @Override
  public boolean getAsBoolean() {
    return counts || Kintsugi.kintsugi_is_revoked_together() != 0;
  }

  @Override
  public void close() {
    deadline.close();
  }
}
