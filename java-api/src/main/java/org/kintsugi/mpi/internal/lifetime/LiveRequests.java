// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.lifetime;

import org.kintsugi.runtime.internal.InRecovery;

/** All requests in flight in one scope: memory that MPI may still touch stays reachable. */
public interface LiveRequests {
  /**
   * Reports requests that were never waited for, at the end of their scope.
   *
   * @param end the name of the scope's end, for the text
   */
  void reportLeaks(String end);

  /** Treats every request as ended, without calling MPI, and releases its buffers. */
  @InRecovery
  void abandon();

  /**
   * Waits in a rollback until MPI has ended every request. Then their buffers can be released.
   * Operations on revoked communicators end by themselves. An operation that has not ended at the
   * deadline keeps its buffers for ever; this happens if the program had closed its communicator,
   * for instance.
   *
   * @param deadlineNanos when to stop waiting, as a value of {@code System.nanoTime}
   */
  @InRecovery
  void drain(long deadlineNanos);
}
