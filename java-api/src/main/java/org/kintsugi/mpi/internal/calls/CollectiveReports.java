// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.calls;

import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Datatype;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.TypedParts;

/**
 * Reports each collective before it is called, in a job with {@code --check} ({@code CheckedCollectives}). In other jobs these
 * methods do nothing.
 */
public class CollectiveReports {
  /**
   * Of a collective with the same count and type on all ranks.
   *
   * @param root -1: there is none
   * @param op null: there is none
   * @param type null: the ranks need not name the same count and type
   */
  public void call(CommState comm, CallForm form, String function, int root, Op op, long count, Datatype type) {}

  /** Of a collective in which each process sends the root a part of its own length, or gets one from it. */
  public void rooted(CommState comm, CallForm form, RootedExchange exchange, int root, Buf shape, int[] counts, Buf whole) {}

  public void reduceScatter(CommState comm, CallForm form, int[] counts, Datatype type, Op op) {}

  public void allGatherV(CommState comm, CallForm form, Buf send, Buf receive, int[] counts) {}

  public void allToAllV(CommState comm, CallForm form, int[] counts, Datatype type, int[] receiveCounts, Datatype receiveType) {}

  public void allToAllW(CommState comm, CallForm form, TypedParts sendParts, TypedParts receiveParts) {}
}
