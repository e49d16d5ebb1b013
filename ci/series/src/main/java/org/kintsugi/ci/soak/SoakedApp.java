// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.soak;

import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.kintsugi.examples.amg.Amg;
import org.kintsugi.examples.comd.Comd;
import org.kintsugi.examples.hpccg.Hpccg;
import org.kintsugi.examples.lulesh.Lulesh;
import org.kintsugi.examples.minife.MiniFe;
import org.kintsugi.examples.minivite.MiniVite;

/** The proxy applications as {@link RandomKills} runs them: in two shapes, for half a second to two. */
public enum SoakedApp {
  /** Conjugate gradients on a structured grid. */
  HPCCG(Hpccg::main, new Shape(4, 1, "24 24 24"), new Shape(3, 2, "24 24 24")),
  /** Its ranks make up a cube. */
  LULESH(Lulesh::main, new Shape(8, 1, "-s 6 -i 150"), new Shape(8, 2, "-s 5 -i 150")),
  /** Atoms move from rank to rank. */
  COMD(Comd::main, new Shape(4, 1, "-x 12 -y 12 -z 8 -N 60 -i 2 -j 2 -r 0.1"),
      new Shape(3, 2, "-x 12 -y 8 -z 8 -N 60 -i 3 -r 0.1")),
  /** Its basis is a vector longer with each step. */
  AMG(Amg::main, new Shape(4, 1, "-problem 2 -n 5 5 5 -P 2 2 1"), new Shape(3, 2, "-problem 2 -n 5 5 5 -P 3 1 1")),
  /** Conjugate gradients on finite elements. */
  MINIFE(MiniFe::main, new Shape(4, 1, "-nx 28"), new Shape(3, 2, "-nx 24")),
  /** Needs a power of two of ranks. It has few iterations, and saves after every third. */
  MINIVITE(MiniVite::main, new Shape(4, 1, "-p 3 -l -n 65536 --checkpoint-every 3"),
      new Shape(2, 2, "-p 3 -l -n 32768 --checkpoint-every 3"));

  /**
   * A job.
   *
   * @param line arguments of the program, a space between them
   */
  record Shape(int ranks, int spares, String line) {
    String[] arguments() {
      return line.split(" ");
    }

    @Override
    public String toString() {
      return ranks + " + " + spares;
    }
  }

  private final Consumer<String[]> main;
  private final List<Shape> shapes;

  SoakedApp(Consumer<String[]> main, Shape... shapes) {
    this.main = main;
    this.shapes = List.of(shapes);
  }

  /** Its main method. */
  public Consumer<String[]> main() {
    return main;
  }

  List<Shape> shapes() {
    return shapes;
  }

  /** The ranks of a job on simulated nodes: its first shape. */
  int ranksOnNodes() {
    return shapes.get(0).ranks;
  }

  /** The program's arguments there. */
  List<String> argumentsOnNodes() {
    return List.of(shapes.get(0).arguments());
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
