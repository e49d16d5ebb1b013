// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.mpi.internal.calls.CallForm;

/**
 * Reports each collective before it is called, in a job with {@code --check} ({@link CheckedCollectives}). In other jobs these
 * methods do nothing.
 */
class CollectiveReports {
  /**
   * Of a collective with the same count and type on all ranks.
   *
   * @param root -1: there is none
   * @param op null: there is none
   * @param type null: the ranks need not name the same count and type
   */
  void call(CommHandle comm, CallForm form, String function, int root, Op op, long count, Datatype type) {}

  /** Of a collective in which each process sends the root a part of its own length, or gets one from it. */
  void rooted(CommHandle comm, CallForm form, RootedExchange exchange, int root, Buf shape, int[] counts, Buf whole) {}

  void reduceScatter(CommHandle comm, CallForm form, int[] counts, Datatype type, Op op) {}

  void allGatherV(CommHandle comm, CallForm form, Buf send, Buf receive, int[] counts) {}

  void allToAllV(CommHandle comm, CallForm form, int[] counts, Datatype type, int[] receiveCounts, Datatype receiveType) {}

  void allToAllW(CommHandle comm, CallForm form, TypedParts sendParts, TypedParts receiveParts) {}
}
