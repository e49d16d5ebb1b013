// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.soak;

import java.util.SplittableRandom;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.checkpoint.Protect;
import org.kintsugi.mpi.Buf;

/**
 * Data of a rank whose lengths differ between steps and between ranks.
 *
 * <p>They are like particles and refined grids: arrays, rows of different lengths, and a buffer.
 * Their values in each step can be computed, and are compared.
 */
public final class GrowingData {
  /** Tells the arrays' values apart. */
  private static final int CELLS = 1;
  private static final int NEIGHBOURS = 2;
  private static final int FLUX = 3;
  private static final int IDS = 4;
  private static final int FACES = 5;
  private static final int FLAGS = 6;
  private static final int LAYERS = 7;
  private static final int KINDS = 8;

  private static final int LONGEST = 5000;
  private static final int MOST_ROWS = 20;
  private static final int LONGEST_ROW = 200;
  private static final int RANKS = 10_000;
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private final int rank;
  private double[] cells;
  private int[][] neighbours;
  private Buf flux = Buf.allocateDoubles(0);
  private final long[][] layers = new long[3][];

  @Protect
  private long[] ids;
  @Protect
  private float[][] faces;
  /** Null in every third step. */
  @Protect
  private byte[] flags;
  @Protect
  private final long[] made = new long[1];

  /** The data of a rank, in step 0. */
  public GrowingData(int rank) {
    this.rank = rank;
    make(0);
  }

  /** Protects all of it. */
  public void protect(Checkpoint checkpoint) {
    checkpoint.protect("cells", () -> cells, a -> cells = a);
    checkpoint.protect("neighbours", () -> neighbours, a -> neighbours = a);
    checkpoint.protect("flux", () -> flux, this::setFlux);
    checkpoint.protect("layers", layers);
    checkpoint.protectFields("data", this);
  }

  private void setFlux(Buf other) {
    if (other != flux) {
      flux.close();
      flux = other;
    }
  }

  /** How many cells a rank has in a step. */
  public static int cells(int rank, long step) {
    return length(rank, step, CELLS, LONGEST);
  }

  /** Changes all data to those of another step, in arrays of other lengths; no old value stays. */
  public void make(long step) {
    for (int i = 0; cells != null && i < cells.length; i++) {
      cells[i] = -1;
    }
    cells = new double[cells(rank, step)];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = value(step, CELLS, i);
    }
    neighbours = new int[length(rank, step, NEIGHBOURS, MOST_ROWS)][];
    for (int row = 0; row < neighbours.length; row++) {
      neighbours[row] = new int[rowLength(step, NEIGHBOURS, row)];
      for (int i = 0; i < neighbours[row].length; i++) {
        neighbours[row][i] = (int) value(step, NEIGHBOURS + row, i);
      }
    }
    setFlux(Buf.allocateDoubles(length(rank, step, FLUX, LONGEST)));
    for (long i = 0; i < flux.count(); i++) {
      flux.putDouble(i, value(step, FLUX, i));
    }
    ids = new long[length(rank, step, IDS, LONGEST)];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = value(step, IDS, i);
    }
    faces = new float[length(rank, step, FACES, MOST_ROWS)][];
    for (int row = 0; row < faces.length; row++) {
      faces[row] = new float[rowLength(step, FACES, row)];
      for (int i = 0; i < faces[row].length; i++) {
        faces[row][i] = value(step, FACES + row, i);
      }
    }
    flags = step % 3 == 2 ? null : new byte[length(rank, step, FLAGS, LONGEST)];
    for (int i = 0; flags != null && i < flags.length; i++) {
      flags[i] = (byte) value(step, FLAGS, i);
    }
    for (int row = 0; row < layers.length; row++) {
      layers[row] = new long[rowLength(step, LAYERS, row)];
      for (int i = 0; i < layers[row].length; i++) {
        layers[row][i] = value(step, LAYERS + row, i);
      }
    }
    made[0] = step;
  }

  /** Compares the data with those of a step, lengths included; a difference ends the job. */
  public void expect(long step) {
    same(step, made[0], "the step", step);
    same(cells(rank, step), cells.length, "the number of cells", step);
    for (int i = 0; i < cells.length; i++) {
      same(value(step, CELLS, i), (long) cells[i], "a cell", step);
    }
    same(length(rank, step, NEIGHBOURS, MOST_ROWS), neighbours.length, "the number of neighbours", step);
    for (int row = 0; row < neighbours.length; row++) {
      same(rowLength(step, NEIGHBOURS, row), neighbours[row].length, "a row's length", step);
      for (int i = 0; i < neighbours[row].length; i++) {
        same((int) value(step, NEIGHBOURS + row, i), neighbours[row][i], "a neighbour", step);
      }
    }
    same(length(rank, step, FLUX, LONGEST), flux.count(), "the length of the flux", step);
    for (long i = 0; i < flux.count(); i++) {
      same(value(step, FLUX, i), (long) flux.getDouble(i), "a flux", step);
    }
    same(length(rank, step, IDS, LONGEST), ids.length, "the number of ids", step);
    for (int i = 0; i < ids.length; i++) {
      same(value(step, IDS, i), ids[i], "an id", step);
    }
    same(length(rank, step, FACES, MOST_ROWS), faces.length, "the number of faces", step);
    for (int row = 0; row < faces.length; row++) {
      same(rowLength(step, FACES, row), faces[row].length, "a row's length", step);
      for (int i = 0; i < faces[row].length; i++) {
        same((long) (float) value(step, FACES + row, i), (long) faces[row][i], "a face", step);
      }
    }
    same(step % 3 == 2 ? 1 : 0, flags == null ? 1 : 0, "whether there are no flags", step);
    for (int i = 0; flags != null && i < Math.max(flags.length, length(rank, step, FLAGS, LONGEST)); i++) {
      same((byte) value(step, FLAGS, i), flags[i], "a flag", step);
    }
    for (int row = 0; row < layers.length; row++) {
      same(rowLength(step, LAYERS, row), layers[row].length, "a layer's length", step);
      for (int i = 0; i < layers[row].length; i++) {
        same(value(step, LAYERS + row, i), layers[row][i], "a layer", step);
      }
    }
  }

  private static void same(long expected, long actual, String what, long step) {
    if (expected != actual) {
      RandomFailures.expect(expected, actual, what + " in step " + step);
    }
  }

  /** Zero now and then. */
  private static int length(int rank, long step, int kind, int longest) {
    SplittableRandom random = new SplittableRandom((step * RANKS + rank) * KINDS + kind);
    return random.nextInt(10) == 0 ? 0 : random.nextInt(longest + 1);
  }

  private int rowLength(long step, int kind, int row) {
    return length(rank, step * (MOST_ROWS + 1) + row, kind, LONGEST_ROW);
  }

  /** Few enough bits for a double. */
  private long value(long step, int kind, long at) {
    return ((step * RANKS + rank) * GOLDEN + kind) * (at + 1) >>> 12;
  }
}
