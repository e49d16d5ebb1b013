// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.calls;

import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.PersistentRequest;
import org.kintsugi.mpi.Request;
import org.kintsugi.mpi.TypedParts;

/**
 * Performs the collectives of one communicator, each in three forms. The public methods of
 * {@link Comm} describe them. All return the request: a {@link PersistentRequest} for the
 * persistent form, and null for the blocking one.
 */
public interface CollectiveOperations {
  /** Refuses a method that exchanges objects, if receivers could not get their lengths first. */
  default void requireObjects(String method) {
    // They get them, unless collectives are stored instead of performed.
  }

  Request barrier(CallForm form);

  Request bcast(CallForm form, Buf buf, int root);

  Request reduce(CallForm form, Buf send, Buf receive, Op op, int root);

  Request allReduce(CallForm form, Buf send, Buf receive, Op op);

  Request scan(CallForm form, Buf send, Buf receive, Op op);

  Request exScan(CallForm form, Buf send, Buf receive, Op op);

  Request reduceScatterBlock(CallForm form, Buf send, Buf receive, Op op);

  Request reduceScatter(CallForm form, Buf send, Buf receive, int[] counts, Op op);

  Request gather(CallForm form, Buf send, Buf receive, int root);

  Request scatter(CallForm form, Buf send, Buf receive, int root);

  Request allGather(CallForm form, Buf send, Buf receive);

  Request allToAll(CallForm form, Buf send, Buf receive);

  Request gatherV(CallForm form, Buf send, Buf receive, int[] counts, int[] displacements, int root);

  Request scatterV(CallForm form, Buf send, int[] counts, int[] displacements, Buf receive, int root);

  Request allGatherV(CallForm form, Buf send, Buf receive, int[] counts, int[] displacements);

  Request allToAllV(CallForm form, Buf send, int[] sendCounts, int[] sendDisplacements, Buf receive, int[] receiveCounts,
      int[] receiveDisplacements);

  Request allToAllW(CallForm form, Buf send, TypedParts sendParts, Buf receive, TypedParts receiveParts);
}
