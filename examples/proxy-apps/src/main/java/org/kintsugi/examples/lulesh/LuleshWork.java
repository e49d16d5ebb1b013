// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.lulesh;

import java.util.Locale;
import java.util.Map;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.examples.app.Picture;
import org.kintsugi.examples.app.Work;
import org.kintsugi.mpi.Comm;

/** The blast on the ranks of a world, as the frame of applications sees it. */
final class LuleshWork implements Work {
  private final Comm world;
  private final int cycles;
  private final boolean printsCycles;
  private final Hydrodynamics blast;
  private final History history = new History();

  /** Collective. */
  LuleshWork(Block block, Comm world, int cycles, boolean printsCycles) {
    this.world = world;
    this.cycles = cycles;
    this.printsCycles = printsCycles && block.rank == 0;
    blast = new Hydrodynamics(block, world.size() == 1 ? null : world);
  }

  @Override
  public void protect(Checkpoint checkpoint) {
    blast.protect(checkpoint);
    history.protect(checkpoint);
  }

  @Override
  public void begin() {
    // The domain is made with the blast in it.
  }

  @Override
  public boolean goesOn(int k) {
    return k <= cycles && !blast.time.isOver();
  }

  @Override
  public void iterate(int k) {
    blast.cycle();
    history.add(blast.time);
    if (printsCycles) {
      System.out.printf(Locale.ROOT, "cycle = %d, time = %e, dt=%e%n", blast.time.cycle(), blast.time.time(), blast.time.dt());
    }
  }

  @Override
  public String progress() {
    return String.format(Locale.ROOT, "time %.3e", blast.time.time());
  }

  @Override
  public Map<String, Object> figures() {
    return LuleshFigures.of(blast, history, world);
  }

  @Override
  public Picture picture() {
    return LuleshPicture.of(blast, world);
  }

  @Override
  public String summary() {
    Block block = blast.domain.block;
    return String.format(Locale.ROOT, "LULESH %d^3 elements on each of %d ranks: %d cycles, time %s, origin energy %s",
        block.edge,
        world.size(), blast.time.cycle(), blast.time.time(), blast.domain.energy[0]);
  }

  @Override
  public void close() {
    blast.close();
  }
}
