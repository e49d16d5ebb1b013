// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal;

/** All requests in flight in one scope: memory that MPI may still touch stays reachable. */
public interface LiveRequests {
  /**
   * Reports requests that were never waited for, at the end of their scope.
   *
   * @param end the name of the scope's end, for the text
   */
  void reportLeaks(String end);

  /** Treats every request as ended, without calling MPI, and gives up its buffers. */
  void abandon();

  /**
   * Drives every request to its end after its communicator was revoked, so that MPI releases the buffers: on a rollback. Revoked
   * operations end by themselves; one that has not ended at the deadline (on a communicator that the program had closed, say)
   * keeps its buffers for ever.
   *
   * @param deadlineNanos when to give up, as {@code System.nanoTime} counts
   */
  void drain(long deadlineNanos);
}
