// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.startup;

import java.util.OptionalInt;
import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.memory.Errors;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.mpi.internal.memory.Scratch;
import org.kintsugi.runtime.Flavour;

/**
 * The predefined attributes of {@code MPI_COMM_WORLD}, read once. On the Reinit++ fork they are
 * lost in a rollback.
 */
public record WorldAttributes(OptionalInt ft, OptionalInt tagUpperBound, OptionalInt universeSize, OptionalInt appNumber) {
  public static WorldAttributes read() {
    return new WorldAttributes(Flavour.current() == Flavour.ULFM ? read(MPI.MPI_FT) : OptionalInt.empty(),
        read(MPI.MPI_TAG_UB), read(MPI.MPI_UNIVERSE_SIZE), read(MPI.MPI_APPNUM));
  }

  private static OptionalInt read(int key) {
    long scratch = Scratch.address();
    Errors.check(MPI.MPI_Comm_get_attr(MPI.MPI_COMM_WORLD, key, scratch, scratch + Scratch.FLAG), "MPI_Comm_get_attr");
    return Memory.getInt(scratch + Scratch.FLAG) == 0
        ? OptionalInt.empty() : OptionalInt.of(Memory.getInt(Memory.getLong(scratch)));
  }
}
