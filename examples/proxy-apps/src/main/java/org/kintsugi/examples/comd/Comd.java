// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.comd;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.kintsugi.examples.app.JobCommand;
import org.kintsugi.examples.app.PictureOption;
import org.kintsugi.examples.app.ProxyApp;
import org.kintsugi.examples.app.Work;
import org.kintsugi.mpi.Comm;
import org.kintsugi.reinit.WarmUp;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** CoMD under Reinit: loses a process and finishes with the same atoms in the same places, bit for bit. */
@Command(name = "comd",
    description = "Molecular dynamics of a copper crystal of X x Y x Z unit cells on I x J x K ranks.")
public final class Comd extends ProxyApp {
  /** Each is an entry of the result, and takes 24 bytes on every rank until then. */
  private static final int MOST_STEPS = 10_000_000;
  /** Each makes an entry of the result. */
  private static final int MOST_PRINTS = 1_000_000;
  private static final double LONGEST_ARRAY = Integer.MAX_VALUE - 8;
  private static final String SOURCE = "the original has one, pots/Cu_u6.eam of https://github.com/ECP-copa/CoMD";
  private static final int LEAST_CELLS = 2;
  private static final int WARM_UP_CELLS = 6;
  private static final int WARM_UP_STEPS = 300;

  @Option(names = "-x", paramLabel = "X", defaultValue = "20", description = "unit cells along x (20)")
  private int nx;

  @Option(names = "-y", paramLabel = "Y", defaultValue = "20", description = "along y (20)")
  private int ny;

  @Option(names = "-z", paramLabel = "Z", defaultValue = "20", description = "along z (20)")
  private int nz;

  @Option(names = "-i", paramLabel = "I", defaultValue = "1", description = "ranks along x (1)")
  private int ranksX;

  @Option(names = "-j", paramLabel = "J", defaultValue = "1", description = "along y (1)")
  private int ranksY;

  @Option(names = "-k", paramLabel = "K", defaultValue = "1", description = "along z (1)")
  private int ranksZ;

  @Option(names = "-N", paramLabel = "STEPS", defaultValue = "100", description = "time steps (100)")
  private int steps;

  @Option(names = "-n", paramLabel = "RATE", defaultValue = "10",
      description = "steps between two prints of the energy (10); -N is rounded up to a multiple")
  private int stepsPerPrint;

  @Option(names = "-D", paramLabel = "FS", defaultValue = "1", description = "time step in fs (1)")
  private double dt;

  @Option(names = "-T", paramLabel = "K", defaultValue = "600", description = "temperature at the start (600)")
  private double temperature;

  @Option(names = "-r", paramLabel = "ANGSTROM", defaultValue = "0", description = "random displacement at the start (0)")
  private double displacement;

  @Option(names = "-l", paramLabel = "ANGSTROM", defaultValue = "-1",
      description = "edge of a unit cell; negative: that of the potential (-1)")
  private double lattice;

  @Option(names = "-e", description = "embedded atoms, from a file; else the potential of Lennard and Jones")
  private boolean embedded;

  @Option(names = "-d", paramLabel = "FOLDER", defaultValue = "pots", description = "the folder of the file (pots)")
  private Path folder;

  @Option(names = "-p", paramLabel = "FILE", defaultValue = "Cu_u6.eam",
      description = "a potential in the format funcfl (Cu_u6.eam): " + SOURCE)
  private String file;

  private Potential potential;

  @Mixin
  private PictureOption picture;

  /** Its options are read by picocli. */
  public Comd() {
    super("CoMD");
  }

  /** Runs the program. */
  public static void main(String[] args) {
    JobCommand.run(new Comd(), args);
  }

  @Override
  protected void check(int ranks) {
    checkNumbers();
    checkGrid(ranks);
    checkSteps();
    checkPhysics();
    potential = embedded ? embeddedAtom() : new LennardJones();
    checkSize();
    checkCells();
  }

  private void checkNumbers() {
    options().requirePositive(nx, "-x");
    options().requirePositive(ny, "-y");
    options().requirePositive(nz, "-z");
    options().requirePositive(ranksX, "-i");
    options().requirePositive(ranksY, "-j");
    options().requirePositive(ranksZ, "-k");
    options().requireAtLeast(0, steps, "-N");
    options().requirePositive(stepsPerPrint, "-n");
  }

  private void checkGrid(int ranks) {
    if ((long) ranksX * ranksY * ranksZ != ranks) {
      throw refuse("-i " + ranksX + " -j " + ranksY + " -k " + ranksZ + " are " + (long) ranksX * ranksY * ranksZ
          + " ranks, and there are " + ranks + ": the product has to be " + ranks);
    }
  }

  private void checkSteps() {
    if (steps > MOST_STEPS || stepsPerPrint > MOST_STEPS) {
      throw refuse("-N " + steps + " -n " + stepsPerPrint + ": at most " + MOST_STEPS + " each");
    }
    if (prints() > MOST_PRINTS) {
      throw refuse("-N " + steps + " -n " + stepsPerPrint + ": " + prints() + " prints of the energy, and " + MOST_PRINTS
          + " is the most; -n " + ((steps - 1) / MOST_PRINTS + 1) + " would do");
    }
  }

  private void checkPhysics() {
    if (!(dt > 0.0 && Double.isFinite(dt))) {
      throw refuse("-D " + dt + " is no time step: it has to be positive");
    }
    if (!(temperature >= 0.0 && Double.isFinite(temperature))) {
      throw refuse("-T " + temperature + " is no temperature: it has to be at least 0");
    }
    if (!(displacement >= 0.0 && Double.isFinite(displacement))) {
      throw refuse("-r " + displacement + " is no displacement: it has to be at least 0");
    }
    if (lattice == 0.0 || !Double.isFinite(lattice)) {
      throw refuse("-l " + lattice + " is no lattice constant: it has to be positive, or negative for the potential's own");
    }
  }

  private void checkSize() {
    requireRoom(nx, ranksX, "-x", "-i");
    requireRoom(ny, ranksY, "-y", "-j");
    requireRoom(nz, ranksZ, "-z", "-k");
    if (4.0 * nx * ny * nz > Integer.MAX_VALUE) {
      throw refuse("-x " + nx + " -y " + ny + " -z " + nz + ": at most " + Integer.MAX_VALUE / 4 + " unit cells");
    }
  }

  /** What is known of the cells before there are any. */
  private void checkCells() {
    int[] grid = {ranksX, ranksY, ranksZ};
    double[] extent = crystal().extent();
    double slots = Atoms.ROOM;
    double narrowest = Double.MAX_VALUE;
    for (int axis = 0; axis < CellGrid.AXES; axis++) {
      slots *= Math.floor(extent[axis] / grid[axis] / potential.cutoff()) + 2;
      narrowest = Math.min(narrowest, CellGrid.width(extent[axis], grid[axis], potential.cutoff()));
    }
    String size = "-x " + nx + " -y " + ny + " -z " + nz + (lattice > 0 ? " -l " + lattice : "");
    if (slots > LONGEST_ARRAY) {
      throw refuse(size + ": each rank has room for " + (long) slots + " atoms in cells as wide as the cutoff of "
          + potential.cutoff() + " Angstrom, and " + (long) LONGEST_ARRAY + " is the most; "
          + (lattice > 0 ? "a smaller -l, like " + potential.latticeConstant() + ", " : "")
          + "fewer unit cells or more ranks would do");
    }
    long most = crystal().mostPerCell(grid, potential.cutoff());
    if (most > Atoms.ROOM) {
      throw refuse(
          size + ": up to " + most + " atoms in a cell as wide as the cutoff of " + potential.cutoff() + " Angstrom, and "
              + Atoms.ROOM + " is the most; a greater -l would do, like the potential's own " + potential.latticeConstant());
    }
    if (displacement > narrowest) {
      throw refuse(
          "-r " + displacement + ": atoms are placed beyond the next cell; at most " + narrowest + ", a cell's width, would do");
    }
  }

  private Potential embeddedAtom() {
    Path path = folder.resolve(file);
    try {
      return new EmbeddedAtom(FuncflFile.read(path));
    } catch (IOException e) {
      throw options().refuseHere("-d " + folder + " -p " + file + ": " + path.toAbsolutePath() + " cannot be used (" + e
          + "). -e needs a potential in the format funcfl; " + SOURCE);
    }
  }

  /** A rank's part holds two cells along each axis, each as wide as the cutoff. */
  private void requireRoom(int cells, int ranks, String cellsName, String ranksName) {
    double local = cells * latticeConstant() / ranks;
    if ((int) (local / potential.cutoff()) < LEAST_CELLS) {
      int enough = (int) Math.ceil(LEAST_CELLS * potential.cutoff() * ranks / latticeConstant());
      throw refuse(cellsName + " " + cells + " with " + ranksName + " " + ranks + " leaves each rank " + local
          + " Angstrom, less than two cutoffs of " + potential.cutoff() + ": " + cellsName + " " + enough + " or more would do");
    }
  }

  private double latticeConstant() {
    return lattice < 0.0 ? potential.latticeConstant() : lattice;
  }

  private Crystal crystal() {
    return new Crystal(new int[] {nx, ny, nz}, latticeConstant(), temperature, displacement);
  }

  private int prints() {
    return (steps + stepsPerPrint - 1) / stepsPerPrint;
  }

  @Override
  protected PictureOption pictureOption() {
    return picture;
  }

  @Override
  protected Map<String, Object> params(int ranks) {
    Map<String, Object> params = new LinkedHashMap<>();
    params.put("nx", nx);
    params.put("ny", ny);
    params.put("nz", nz);
    params.put("nSteps", steps);
    params.put("printRate", stepsPerPrint);
    params.put("dt_fs", dt);
    params.put("temperature_K", temperature);
    params.put("initial_delta", displacement);
    params.put("potential", potential.title());
    params.put("proc_grid", new int[] {ranksX, ranksY, ranksZ});
    params.put("lattice_constant", latticeConstant());
    return params;
  }

  @Override
  protected long inputs() {
    return potential.fingerprint();
  }

  @Override
  protected int iterations() {
    return prints() * stepsPerPrint;
  }

  @Override
  protected Work work(Comm world) {
    Crystal crystal = crystal();
    CellGrid grid =
        new CellGrid(new int[] {ranksX, ranksY, ranksZ}, world.rank(), crystal.extent(), potential.cutoff());
    Dynamics dynamics = new Dynamics(grid, crystal, potential, world.size() == 1 ? null : world);
    return new ComdWork(world, dynamics, prints(), stepsPerPrint, dt, crystal);
  }

  @WarmUp
  private static void warmUpCommandLine() {
    new CommandLine(new Comd()).parseArgs("-x", "8", "-e");
  }

  /** All but the messages, on a small crystal, with the potential that needs no file. */
  @WarmUp
  private static void warmUpKernels() {
    warmUp(new LennardJones());
  }

  private static void warmUp(Potential potential) {
    Crystal crystal = new Crystal(
        new int[] {WARM_UP_CELLS, WARM_UP_CELLS, WARM_UP_CELLS}, potential.latticeConstant(), 600.0, 0.0);
    CellGrid grid = new CellGrid(new int[] {1, 1, 1}, 0, crystal.extent(), potential.cutoff());
    try (Dynamics dynamics = new Dynamics(grid, crystal, potential, null)) {
      dynamics.begin();
      for (int step = 0; step < WARM_UP_STEPS && !Thread.currentThread().isInterrupted(); step++) {
        dynamics.step(1.0);
      }
    }
  }

  @Override
  protected Runnable warmUp() {
    return () -> warmUp(potential);
  }
}
