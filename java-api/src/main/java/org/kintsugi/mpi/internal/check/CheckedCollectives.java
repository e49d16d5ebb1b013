// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.check;

import java.util.Collections;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Datatype;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.TypedParts;
import org.kintsugi.mpi.internal.Access;
import org.kintsugi.mpi.internal.calls.CallForm;
import org.kintsugi.mpi.internal.calls.CollectiveReports;
import org.kintsugi.mpi.internal.calls.CommState;
import org.kintsugi.mpi.internal.calls.RootedExchange;

/** Reports each collective to the launcher. A blocking one waits there for the other ranks' reports. */
public final class CheckedCollectives extends CollectiveReports {
  @Override
  public void call(CommState comm, CallForm form, String function, int root, Op op, long count, Datatype type) {
    CheckedComm.tell(comm, form.nameOf(function), form == CallForm.BLOCKING, root, op, count, type);
  }

  @Override
  public void rooted(CommState comm, CallForm form, RootedExchange exchange, int root, Buf shape, int[] counts, Buf whole) {
    boolean isRoot = comm.isRoot(root);
    String wholes = isRoot ? CheckedComm.parts(counts, whole.datatype()) : "";
    String own = isRoot ? "" : CheckedComm.part(root, comm.peers(), shape.count(), shape.datatype());
    String data = isRoot ? CheckedComm.partsText(counts, whole.datatype()) : shape.count() + " x " + shape.datatype();
    boolean gathers = exchange == RootedExchange.GATHER;
    parts(comm, form, exchange.functionV, root, data, gathers ? own : wholes, gathers ? wholes : own);
  }

  @Override
  public void reduceScatter(CommState comm, CallForm form, int[] counts, Datatype type, Op op) {
    CheckedComm.tell(comm, form.nameOf("MPI_Reduce_scatter"), form == CallForm.BLOCKING, -1, op,
        CheckedComm.partsText(counts, type), CheckedComm.parts(counts, type), "", "");
  }

  @Override
  public void allGatherV(CommState comm, CallForm form, Buf send, Buf receive, int[] counts) {
    String own = Access.bufs().signature(send.datatype(),
        Access.bufs().areSame(send, receive) ? counts[comm.rank()] : send.count());
    parts(comm, form, "MPI_Allgatherv", -1, CheckedComm.partsText(counts, receive.datatype()),
        String.join(",", Collections.nCopies(counts.length, own)), CheckedComm.parts(counts, receive.datatype()));
  }

  @Override
  public void allToAllV(CommState comm, CallForm form, int[] counts, Datatype type, int[] receiveCounts, Datatype receiveType) {
    parts(comm, form, "MPI_Alltoallv", -1, CheckedComm.partsText(counts, type), CheckedComm.parts(counts, type),
        CheckedComm.parts(receiveCounts, receiveType));
  }

  @Override
  public void allToAllW(CommState comm, CallForm form, TypedParts sendParts, TypedParts receiveParts) {
    parts(comm, form, "MPI_Alltoallw", -1, "parts", Access.bufs().signatures(sendParts),
        Access.bufs().signatures(receiveParts));
  }

  private static void parts(CommState comm, CallForm form, String function, int root, String data, String sends,
      String receives) {
    CheckedComm.tell(comm, form.nameOf(function), form == CallForm.BLOCKING, root, null, data, "", sends,
        receives);
  }
}
