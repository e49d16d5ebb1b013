// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.variants;

import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.Request;
import org.kintsugi.mpi.TypedParts;
import org.kintsugi.mpi.internal.calls.CallForm;
import org.kintsugi.mpi.internal.calls.CollectiveOperations;
import org.kintsugi.mpi.internal.events.TimedCall;

/** Takes the time of blocking collectives, for a recording. */
public final class TimedCollectives implements CollectiveOperations {
  private final CollectiveOperations calls;

  public TimedCollectives(CollectiveOperations calls) {
    this.calls = calls;
  }

  /** Null if the call does not wait for other processes. */
  static TimedCall begins(CallForm form) {
    return form == CallForm.BLOCKING ? TimedCall.begins() : null;
  }

  static void ends(TimedCall call, String function) {
    if (call != null) {
      call.ends(function);
    }
  }

  @Override
  public void requireObjects(String method) {
    calls.requireObjects(method);
  }

  @Override
  public Request barrier(CallForm form) {
    TimedCall call = begins(form);
    try {
      return calls.barrier(form);
    } finally {
      ends(call, "MPI_Barrier");
    }
  }

  @Override
  public Request bcast(CallForm form, Buf buf, int root) {
    TimedCall call = begins(form);
    try {
      return calls.bcast(form, buf, root);
    } finally {
      ends(call, "MPI_Bcast");
    }
  }

  @Override
  public Request reduce(CallForm form, Buf send, Buf receive, Op op, int root) {
    TimedCall call = begins(form);
    try {
      return calls.reduce(form, send, receive, op, root);
    } finally {
      ends(call, "MPI_Reduce");
    }
  }

  @Override
  public Request allReduce(CallForm form, Buf send, Buf receive, Op op) {
    TimedCall call = begins(form);
    try {
      return calls.allReduce(form, send, receive, op);
    } finally {
      ends(call, "MPI_Allreduce");
    }
  }

  @Override
  public Request scan(CallForm form, Buf send, Buf receive, Op op) {
    TimedCall call = begins(form);
    try {
      return calls.scan(form, send, receive, op);
    } finally {
      ends(call, "MPI_Scan");
    }
  }

  @Override
  public Request exScan(CallForm form, Buf send, Buf receive, Op op) {
    TimedCall call = begins(form);
    try {
      return calls.exScan(form, send, receive, op);
    } finally {
      ends(call, "MPI_Exscan");
    }
  }

  @Override
  public Request reduceScatterBlock(CallForm form, Buf send, Buf receive, Op op) {
    TimedCall call = begins(form);
    try {
      return calls.reduceScatterBlock(form, send, receive, op);
    } finally {
      ends(call, "MPI_Reduce_scatter_block");
    }
  }

  @Override
  public Request reduceScatter(CallForm form, Buf send, Buf receive, int[] counts, Op op) {
    TimedCall call = begins(form);
    try {
      return calls.reduceScatter(form, send, receive, counts, op);
    } finally {
      ends(call, "MPI_Reduce_scatter");
    }
  }

  @Override
  public Request gather(CallForm form, Buf send, Buf receive, int root) {
    TimedCall call = begins(form);
    try {
      return calls.gather(form, send, receive, root);
    } finally {
      ends(call, "MPI_Gather");
    }
  }

  @Override
  public Request scatter(CallForm form, Buf send, Buf receive, int root) {
    TimedCall call = begins(form);
    try {
      return calls.scatter(form, send, receive, root);
    } finally {
      ends(call, "MPI_Scatter");
    }
  }

  @Override
  public Request allGather(CallForm form, Buf send, Buf receive) {
    TimedCall call = begins(form);
    try {
      return calls.allGather(form, send, receive);
    } finally {
      ends(call, "MPI_Allgather");
    }
  }

  @Override
  public Request allToAll(CallForm form, Buf send, Buf receive) {
    TimedCall call = begins(form);
    try {
      return calls.allToAll(form, send, receive);
    } finally {
      ends(call, "MPI_Alltoall");
    }
  }

  @Override
  public Request gatherV(CallForm form, Buf send, Buf receive, int[] counts, int[] displacements, int root) {
    TimedCall call = begins(form);
    try {
      return calls.gatherV(form, send, receive, counts, displacements, root);
    } finally {
      ends(call, "MPI_Gatherv");
    }
  }

  @Override
  public Request scatterV(CallForm form, Buf send, int[] counts, int[] displacements, Buf receive, int root) {
    TimedCall call = begins(form);
    try {
      return calls.scatterV(form, send, counts, displacements, receive, root);
    } finally {
      ends(call, "MPI_Scatterv");
    }
  }

  @Override
  public Request allGatherV(CallForm form, Buf send, Buf receive, int[] counts, int[] displacements) {
    TimedCall call = begins(form);
    try {
      return calls.allGatherV(form, send, receive, counts, displacements);
    } finally {
      ends(call, "MPI_Allgatherv");
    }
  }

  @Override
  public Request allToAllV(CallForm form, Buf send, int[] sendCounts, int[] sendDisplacements, Buf receive,
      int[] receiveCounts, int[] receiveDisplacements) {
    TimedCall call = begins(form);
    try {
      return calls.allToAllV(form, send, sendCounts, sendDisplacements, receive, receiveCounts, receiveDisplacements);
    } finally {
      ends(call, "MPI_Alltoallv");
    }
  }

  @Override
  public Request allToAllW(CallForm form, Buf send, TypedParts sendParts, Buf receive, TypedParts receiveParts) {
    TimedCall call = begins(form);
    try {
      return calls.allToAllW(form, send, sendParts, receive, receiveParts);
    } finally {
      ends(call, "MPI_Alltoallw");
    }
  }
}
