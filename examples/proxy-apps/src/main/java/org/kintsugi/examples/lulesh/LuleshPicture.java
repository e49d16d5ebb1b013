// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.lulesh;

import java.util.Locale;
import java.util.stream.IntStream;
import org.kintsugi.examples.app.Picture;
import org.kintsugi.examples.app.Sample;
import org.kintsugi.mpi.Comm;

/**
 * The blast's energy in the lowest layer of elements, which has the origin, at their current
 * places.
 */
final class LuleshPicture {
  private static final int DECADES = 6;

  private LuleshPicture() {}

  /** Collective. @return null on ranks other than 0 */
  static Picture of(Hydrodynamics blast, Comm world) {
    Sample layer = lowestLayer(blast.domain).gather(world);
    if (layer == null) {
      return null;
    }
    Picture picture =
        Picture.ofTiles(String.format(Locale.ROOT, "LULESH: energy of the elements at z = 0 after %d cycles, time %.3g",
            blast.time.cycle(), blast.time.time()), "x (the whole cube: 0 to 1.125)", "y");
    int top = (int) Math.floor(Math.log10(layer.greatest()));
    double[] bounds = IntStream.rangeClosed(top - DECADES + 1, top).mapToDouble(exponent -> Math.pow(10, exponent)).toArray();
    picture.addClasses(layer, bounds,
        i -> i == 0 ? "energy below 1e" + (top - DECADES + 1) : "1e" + (top - DECADES + i) + " to 1e" + (top - DECADES + i + 1));
    return picture;
  }

  /** The middles of this rank's elements of that layer; none on ranks that lie above. */
  static Sample lowestLayer(Domain domain) {
    Block block = domain.block;
    int elements = block.plane == 0 ? block.edge * block.edge : 0;
    Sample layer = new Sample(new double[elements], new double[elements], new double[elements]);
    Hexahedra hexahedra = new Hexahedra(block);
    double[] corners = new double[3 * Hexahedra.CORNERS];
    for (int element = 0; element < elements; element++) {
      int node = hexahedra.firstNode(element);
      hexahedra.gather(node, domain.x, corners, 0);
      hexahedra.gather(node, domain.y, corners, Hexahedra.Y);
      for (int corner = 0; corner < Hexahedra.CORNERS; corner++) {
        layer.x()[element] += corners[corner] / Hexahedra.CORNERS;
        layer.y()[element] += corners[Hexahedra.Y + corner] / Hexahedra.CORNERS;
      }
      layer.value()[element] = domain.energy[element];
    }
    return layer;
  }
}
