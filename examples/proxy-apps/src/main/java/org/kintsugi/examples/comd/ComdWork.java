// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.comd;

import java.util.Locale;
import java.util.Map;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.examples.app.Picture;
import org.kintsugi.examples.app.Work;
import org.kintsugi.mpi.Comm;

/** The crystal on the ranks of a world, as the frame of applications sees it. */
final class ComdWork implements Work {
  private final Comm world;
  private final Dynamics dynamics;
  private final EnergyHistory history;
  private final int prints;
  private final int stepsPerPrint;
  private final double dt;
  private final Crystal crystal;

  ComdWork(Comm world, Dynamics dynamics, int prints, int stepsPerPrint, double dt, Crystal crystal) {
    this.world = world;
    this.dynamics = dynamics;
    this.prints = prints;
    this.stepsPerPrint = stepsPerPrint;
    this.dt = dt;
    this.crystal = crystal;
    history = new EnergyHistory(prints, stepsPerPrint);
  }

  /** With it, and the step, which is the version's number, a resumed run repeats the undisturbed one bit for bit. */
  @Override
  public void protect(Checkpoint checkpoint) {
    Atoms atoms = dynamics.atoms;
    checkpoint.protect("atoms", atoms::pack, atoms::unpack);
    history.protect(checkpoint);
  }

  @Override
  public void begin() {
    dynamics.begin();
    history.add(0, dynamics);
  }

  @Override
  public boolean goesOn(int step) {
    return step <= prints * stepsPerPrint;
  }

  @Override
  public void iterate(int step) {
    dynamics.step(dt);
    if (step % stepsPerPrint == 0) {
      history.add(step / stepsPerPrint, dynamics);
    }
  }

  @Override
  public String progress() {
    return dynamics.atoms.localAtoms() + " atoms on rank 0";
  }

  @Override
  public Map<String, Object> figures() {
    return ComdFigures.of(dynamics, history, prints, dt, crystal.atoms());
  }

  @Override
  public Picture picture() {
    return ComdPicture.of(dynamics.atoms, crystal, world, prints * stepsPerPrint, prints * stepsPerPrint * dt);
  }

  @Override
  public String summary() {
    return String.format(Locale.ROOT, "CoMD %s, %d atoms: %d steps, energy per atom %s eV at first, %s eV at last, %d atoms lost",
        dynamics.potential.title(), crystal.atoms(), prints * stepsPerPrint, history.total(0), history.total(prints),
        history.atoms(0) - history.atoms(prints));
  }

  @Override
  public void close() {
    dynamics.close();
  }
}
