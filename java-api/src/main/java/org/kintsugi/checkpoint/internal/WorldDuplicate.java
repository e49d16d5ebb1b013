// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal;

import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.internal.Access;
import org.kintsugi.mpi.internal.memory.Errors;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.runtime.Flavour;

/**
 * A duplicate of a world, made quickly.
 *
 * <p>{@code MPI_Comm_dup} of the Reinit++ fork waits for its own messages without ever yielding to another process (its {@code
 * comm_request.c} always reports progress). With 4 ranks on shared processors that took 130 ms; this way takes 0.3 ms.
 */
public final class WorldDuplicate {
  private static final long REQUEST_AT = 8;
  private static final long FLAG_AT = 16;
  private static final long BYTES = 24;

  private WorldDuplicate() {}

  /** Makes a duplicate, which belongs to the world's epoch. Collective. */
  public static Comm of(Comm world) {
    return Flavour.current() == Flavour.REINIT ? patiently(world) : world.dup();
  }

  private static Comm patiently(Comm world) {
    // Not freed if a failure ends this call: MPI may still write to it.
    long result = Memory.allocate(BYTES);
    check(world, MPI.MPI_Comm_idup(world.handle(), result, result + REQUEST_AT), "MPI_Comm_idup");
    Memory.putInt(result + FLAG_AT, 0);
    while (Memory.getInt(result + FLAG_AT) == 0) {
      check(world, MPI.MPI_Test(result + REQUEST_AT, result + FLAG_AT, MPI.MPI_STATUS_IGNORE), "MPI_Test");
      Thread.yield();
    }
    Comm duplicate = Access.comms().adopt(Memory.getLong(result), world);
    Memory.free(result);
    return duplicate;
  }

  private static void check(Comm world, int code, String function) {
    if (code != MPI.MPI_SUCCESS) {
      world.barrier(); // a failure is reported like every other, by a call on the world
      Errors.check(code, function);
    }
  }
}
