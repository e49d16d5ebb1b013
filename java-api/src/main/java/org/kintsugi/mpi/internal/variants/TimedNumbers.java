// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.variants;

import org.kintsugi.mpi.Datatype;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.internal.calls.NumberOperations;
import org.kintsugi.mpi.internal.events.TimedCall;

/** As {@link TimedCollectives}, for collectives of one number. */
public final class TimedNumbers implements NumberOperations {
  private final NumberOperations calls;

  public TimedNumbers(NumberOperations calls) {
    this.calls = calls;
  }

  @Override
  public long bcast(Datatype type, long bits, int root) {
    TimedCall call = TimedCall.begins();
    try {
      return calls.bcast(type, bits, root);
    } finally {
      call.ends("MPI_Bcast");
    }
  }

  @Override
  public long allReduce(Datatype type, long bits, Op op) {
    TimedCall call = TimedCall.begins();
    try {
      return calls.allReduce(type, bits, op);
    } finally {
      call.ends("MPI_Allreduce");
    }
  }

  @Override
  public long scan(Datatype type, long bits, Op op) {
    TimedCall call = TimedCall.begins();
    try {
      return calls.scan(type, bits, op);
    } finally {
      call.ends("MPI_Scan");
    }
  }

  @Override
  public long exScan(Datatype type, long bits, Op op, long first) {
    TimedCall call = TimedCall.begins();
    try {
      return calls.exScan(type, bits, op, first);
    } finally {
      call.ends("MPI_Exscan");
    }
  }
}
