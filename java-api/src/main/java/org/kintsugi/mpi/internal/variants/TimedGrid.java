// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.variants;

import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.CartComm;
import org.kintsugi.mpi.Request;
import org.kintsugi.mpi.internal.calls.CallForm;
import org.kintsugi.mpi.internal.calls.GridOperations;
import org.kintsugi.mpi.internal.events.TimedCall;

/** As {@link TimedCollectives}, for those of a grid. */
public final class TimedGrid implements GridOperations {
  private final GridOperations calls;

  public TimedGrid(GridOperations calls) {
    this.calls = calls;
  }

  @Override
  public CartComm sub(boolean[] keep) {
    return calls.sub(keep);
  }

  @Override
  public Request neighbourAllGather(CallForm form, Buf send, Buf receive) {
    TimedCall call = TimedCollectives.begins(form);
    try {
      return calls.neighbourAllGather(form, send, receive);
    } finally {
      TimedCollectives.ends(call, "MPI_Neighbor_allgather");
    }
  }

  @Override
  public Request neighbourAllToAll(CallForm form, Buf send, Buf receive) {
    TimedCall call = TimedCollectives.begins(form);
    try {
      return calls.neighbourAllToAll(form, send, receive);
    } finally {
      TimedCollectives.ends(call, "MPI_Neighbor_alltoall");
    }
  }
}
