// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint.traps;

import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.reinit.Reinit;

/**
 * State in a {@link Buf}, whose ghost element the next iteration reads.
 *
 * <p>Needed: all elements of {@code cells}, the ghost at the end too, as it is received after it is read; the incomplete form
 * protects the elements without the ghost. Not needed: {@code sent}, which each step writes before it sends it.
 */
public final class OffHeapBuffer {
  private static final int STEPS = 12;
  private static final int EVERY = 4;
  private static final int CELLS = 6;

  private OffHeapBuffer() {}

  public static void main(String[] args) {
    boolean isComplete = Form.isComplete(args);
    Mpi.run(args, mpi -> {
      try (Buf cells = Buf.allocateDoubles(CELLS + 1); Buf sent = Buf.allocateDoubles(1)) {
        Reinit.run(mpi, run -> {
          Comm world = run.world();
          Checkpoint checkpoint = run.checkpoint();
          for (int j = 0; j <= CELLS; j++) {
            cells.putDouble(j, j + 0.1 * world.rank());
          }
          checkpoint.protect("cells", isComplete ? cells : cells.slice(0, CELLS));
          int left = (world.rank() + world.size() - 1) % world.size();
          int right = (world.rank() + 1) % world.size();
          for (long i = checkpoint.restore().orElse(0); i < STEPS; i++) {
            run.iteration(i);
            for (int j = 0; j < CELLS; j++) {
              cells.putDouble(j, 0.6 * cells.getDouble(j) + 0.5 * cells.getDouble(j + 1));
            }
            sent.putDouble(0, cells.getDouble(0));
            world.sendRecv(sent, left, 0, cells.slice(CELLS, 1), right, 0);
            if (i % EVERY == EVERY - 1) {
              checkpoint.save(i + 1);
            }
          }
          if (world.rank() == 0) {
            System.out.println("first cell " + cells.getDouble(0));
          }
        });
      }
    });
  }
}
