// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.hpccg;

import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.PersistentRequest;

/** Exchange of ghost planes with the ranks below and above. */
final class Halo implements AutoCloseable {
  private static final int TAG = 99;

  private final int rows;
  private final int plane;
  private final int lower;
  private final int upper;
  private final Buf sendLower;
  private final Buf sendUpper;
  private final Buf receiveLower;
  private final Buf receiveUpper;
  private final PersistentRequest[] requests;

  Halo(StencilMatrix matrix, Comm world) {
    rows = matrix.rows();
    plane = matrix.plane();
    lower = world.rank() > 0 ? world.rank() - 1 : Comm.PROC_NULL;
    upper = world.rank() < world.size() - 1 ? world.rank() + 1 : Comm.PROC_NULL;
    sendLower = Buf.ofDoubles(plane);
    sendUpper = Buf.ofDoubles(plane);
    receiveLower = Buf.ofDoubles(plane);
    receiveUpper = Buf.ofDoubles(plane);
    requests = new PersistentRequest[] {
        world.recvInit(receiveLower, lower, TAG), world.recvInit(receiveUpper, upper, TAG),
        world.sendInit(sendLower, lower, TAG), world.sendInit(sendUpper, upper, TAG)
    };
  }

  /** Fills the ghosts of x with the neighbours' planes. */
  void exchange(double[] x) {
    if (lower != Comm.PROC_NULL) {
      sendLower.put(0, x, 0, plane);
    }
    if (upper != Comm.PROC_NULL) {
      sendUpper.put(0, x, rows - plane, plane);
    }
    PersistentRequest.startAll(requests);
    for (PersistentRequest request : requests) {
      request.waitFor();
    }
    int ghost = rows;
    if (lower != Comm.PROC_NULL) {
      receiveLower.get(0, x, ghost, plane);
      ghost += plane;
    }
    if (upper != Comm.PROC_NULL) {
      receiveUpper.get(0, x, ghost, plane);
    }
  }

  @Override
  public void close() {
    for (PersistentRequest request : requests) {
      request.close();
    }
    sendLower.close();
    sendUpper.close();
    receiveLower.close();
    receiveUpper.close();
  }
}
