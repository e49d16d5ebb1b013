// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

/**
 * Performs the collectives of one communicator, each in three forms. The public methods of
 * {@link Comm} describe them. All return the request: a {@link PersistentRequest} for the
 * persistent form, and null for the blocking one.
 */
interface CollectiveOperations {
  Request barrier(Form form);

  Request bcast(Form form, Buf buf, int root);

  Request reduce(Form form, Buf send, Buf receive, Op op, int root);

  Request allReduce(Form form, Buf send, Buf receive, Op op);

  Request scan(Form form, Buf send, Buf receive, Op op);

  Request exScan(Form form, Buf send, Buf receive, Op op);

  Request reduceScatterBlock(Form form, Buf send, Buf receive, Op op);

  Request reduceScatter(Form form, Buf send, Buf receive, int[] counts, Op op);

  Request gather(Form form, Buf send, Buf receive, int root);

  Request scatter(Form form, Buf send, Buf receive, int root);

  Request allGather(Form form, Buf send, Buf receive);

  Request allToAll(Form form, Buf send, Buf receive);

  Request gatherV(Form form, Buf send, Buf receive, int[] counts, int[] displacements, int root);

  Request scatterV(Form form, Buf send, int[] counts, int[] displacements, Buf receive, int root);

  Request allGatherV(Form form, Buf send, Buf receive, int[] counts, int[] displacements);

  Request allToAllV(Form form, Buf send, int[] sendCounts, int[] sendDisplacements, Buf receive, int[] receiveCounts,
      int[] receiveDisplacements);

  Request allToAllW(Form form, Buf send, Parts sendParts, Buf receive, Parts receiveParts);
}
