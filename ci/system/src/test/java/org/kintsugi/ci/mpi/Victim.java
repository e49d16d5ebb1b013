// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.runtime.SignalNumbers;

/** A rank that dies, by SIGKILL, when all others are there. */
final class Victim {
  private static final int TAG = 98;

  private Victim() {}

  /**
   * To be called by all ranks, of which one does not come back. Not a barrier: who leaves it first and dies fails it for those
   * who are still in it, and they miss whatever they were to do then.
   */
  static void diesWhenAllAreThere(Comm world, int victim) {
    if (world.rank() != victim) {
      world.send(Buf.copyOf(0), victim, TAG);
      return;
    }
    for (int rank = 0; rank < world.size(); rank++) {
      if (rank != victim) {
        world.recv(Buf.allocateInts(1), rank, TAG);
      }
    }
    Kintsugi.kintsugi_kill((int) ProcessHandle.current().pid(), SignalNumbers.SIGKILL);
  }
}
