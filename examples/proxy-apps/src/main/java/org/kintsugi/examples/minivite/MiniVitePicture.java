// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.minivite;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.kintsugi.examples.app.Picture;
import org.kintsugi.examples.app.Sample;
import org.kintsugi.mpi.Comm;

/**
 * The communities, with each vertex at its place in the unit square. The largest have colours, the
 * others shades of grey.
 */
final class MiniVitePicture {
  /** Colours that differ clearly (Tableau's). */
  private static final int[] COLOURS = {0x4e79a7, 0xf28e2b, 0xe15759, 0x76b7b2, 0x59a14f, 0xedc948, 0xb07aa1, 0x9c755f};
  private static final int[] GREYS = {0xdddddd, 0xc4c4c4, 0xababab, 0x929292};

  private MiniVitePicture() {}

  /** Collective. @return null on ranks other than 0 */
  static Picture of(Generated generated, Louvain louvain, Comm world) {
    Points points = generated.points();
    double[] community = Arrays.stream(louvain.communities()).asDoubleStream().toArray();
    Sample all = new Sample(points.x, points.y, community).gather(world);
    return all == null ? null : draw(all, (long) generated.graph().vertices * world.size(), louvain.modularity());
  }

  private static Picture draw(Sample points, long vertices, double modularity) {
    Map<Double, Long> sizes =
        Arrays.stream(points.value()).boxed().collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    List<Double> bySize = sizes.keySet().stream()
        .sorted(Comparator.comparing((Double community) -> -sizes.get(community)).thenComparing(Comparator.naturalOrder()))
        .toList();
    String drawn = points.size() < vertices ? ", " + points.size() + " of them drawn" : "";
    Picture picture = Picture.ofPoints(
        String.format(Locale.ROOT, "miniVite: communities of %d vertices%s, modularity %.4f", vertices, drawn, modularity), "x",
        "y");
    int coloured = Math.min(COLOURS.length, bySize.size());
    Map<Double, Integer> place = new HashMap<>();
    bySize.forEach(one -> place.put(one, place.size() - coloured));
    for (int i = 0; i < GREYS.length; i++) {
      int grey = i;
      picture.add(grey > 0 ? null : (bySize.size() - coloured) + " others (greys)", GREYS[grey],
          points.where(one -> place.get(one) >= 0 && place.get(one) % GREYS.length == grey));
    }
    for (int i = 0; i < coloured; i++) {
      double one = bySize.get(i);
      picture.add(String.format("number %.0f: %d vertices", one, sizes.get(one)), COLOURS[i],
          points.where(value -> value == one));
    }
    return picture;
  }
}
