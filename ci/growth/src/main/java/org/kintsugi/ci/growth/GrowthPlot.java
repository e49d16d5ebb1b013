// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.growth;

import java.util.Arrays;
import java.util.List;

/** The picture of docs/growth.md: what was measured here, and what the model says of a core for each process. */
record GrowthPlot(GrowthData data, List<Curve> curves) {
  static final String FILE = "docs/images/growth.svg";

  /** A number of processes; null: not simulated. Milliseconds by {@link Step}. */
  record At(int processes, double[] simulated, double[] formula) {}

  /** The growth of a language's recoveries. */
  record Curve(String language, Costs costs, List<At> points) {
    Model model(int processes) {
      return new Model(Machine.ofThePaper(), TableCosts.extend(costs, language.equals(Growth.JAVA), processes));
    }
  }

  String svg() {
    LinePlot plot = new LinePlot("A recovery on 2 shared cores, and with a core for each process", "processes", "milliseconds",
        new double[] {1, 1e6}, new double[] {0.01, 1000});
    int colour = 0;
    for (Curve curve : curves) {
      List<Measurement> measured = data.of(curve.language);
      plot.points(curve.language + ", measured here", measured.stream().mapToDouble(Measurement::processes).toArray(),
          measured.stream().mapToDouble(Measurement::total).toArray(), colour);
      double[] sizes = sizes();
      plot.line(curve.language + ", model", sizes, Arrays.stream(sizes).map(p -> curve.model((int) p).total((int) p) / 1e6)
          .toArray(), colour, false);
      List<At> simulated = curve.points.stream().filter(at -> at.simulated != null).toList();
      plot.points(curve.language + ", simulated", simulated.stream().mapToDouble(At::processes).toArray(),
          simulated.stream().mapToDouble(at -> Arrays.stream(at.simulated).sum()).toArray(), colour + 3);
      colour++;
    }
    Curve last = curves.get(curves.size() - 1);
    colour = 5;
    for (Step step : List.of(Step.MEET, Step.SHRINK, Step.GATHER, Step.SPLIT, Step.ENTER)) {
      double[] sizes = sizes();
      plot.line(last.language + ", " + step.title(), sizes,
          Arrays.stream(sizes).map(p -> last.model((int) p).nanos(step, (int) p) / 1e6).toArray(), colour++, true);
    }
    return plot.svg();
  }

  private static double[] sizes() {
    double[] sizes = new double[41];
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = Math.round(2 * Math.pow(5e5, i / 40.0));
    }
    return sizes;
  }
}
