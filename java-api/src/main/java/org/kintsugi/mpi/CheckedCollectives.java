// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import java.util.Collections;
import org.kintsugi.mpi.internal.calls.CallForm;

/** Reports each collective to the launcher. A blocking one waits there for the other ranks' reports. */
final class CheckedCollectives extends CollectiveReports {
  @Override
  void call(CommHandle comm, CallForm form, String function, int root, Op op, long count, Datatype type) {
    CheckedComm.tell(comm, CollectiveForms.nameOf(form, function), form == CallForm.BLOCKING, root, op, count, type);
  }

  @Override
  void rooted(CommHandle comm, CallForm form, RootedExchange exchange, int root, Buf shape, int[] counts, Buf whole) {
    boolean isRoot = comm.isRoot(root);
    String wholes = isRoot ? CheckedComm.parts(counts, whole.datatype()) : "";
    String own = isRoot ? "" : CheckedComm.part(root, comm.peers(), shape.count(), shape.datatype());
    String data = isRoot ? CheckedComm.data(counts, whole.datatype()) : shape.count() + " x " + shape.datatype();
    boolean gathers = exchange == RootedExchange.GATHER;
    parts(comm, form, exchange.functionV, root, data, gathers ? own : wholes, gathers ? wholes : own);
  }

  @Override
  void reduceScatter(CommHandle comm, CallForm form, int[] counts, Datatype type, Op op) {
    CheckedComm.tell(comm, CollectiveForms.nameOf(form, "MPI_Reduce_scatter"), form == CallForm.BLOCKING, -1, op,
        CheckedComm.data(counts, type), CheckedComm.parts(counts, type), "", "");
  }

  @Override
  void allGatherV(CommHandle comm, CallForm form, Buf send, Buf receive, int[] counts) {
    String own = send.datatype().signature(Buf.areSame(send, receive) ? counts[comm.rank()] : send.count());
    parts(comm, form, "MPI_Allgatherv", -1, CheckedComm.data(counts, receive.datatype()),
        String.join(",", Collections.nCopies(counts.length, own)), CheckedComm.parts(counts, receive.datatype()));
  }

  @Override
  void allToAllV(CommHandle comm, CallForm form, int[] counts, Datatype type, int[] receiveCounts, Datatype receiveType) {
    parts(comm, form, "MPI_Alltoallv", -1, CheckedComm.data(counts, type), CheckedComm.parts(counts, type),
        CheckedComm.parts(receiveCounts, receiveType));
  }

  @Override
  void allToAllW(CommHandle comm, CallForm form, TypedParts sendParts, TypedParts receiveParts) {
    parts(comm, form, "MPI_Alltoallw", -1, "parts", sendParts.signatures(), receiveParts.signatures());
  }

  private static void parts(CommHandle comm, CallForm form, String function, int root, String data, String sends,
      String receives) {
    CheckedComm.tell(comm, CollectiveForms.nameOf(form, function), form == CallForm.BLOCKING, root, null, data, "", sends,
        receives);
  }
}
