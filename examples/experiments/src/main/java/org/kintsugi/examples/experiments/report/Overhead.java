// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments.report;

import java.util.List;

/**
 * The model of the paper on persistent communicators, fitted to the overhead of persisting: {@code T(x) = (x + c)/x}, where x is
 * the interval or the size of the problem, and T the time with persisting over that without.
 *
 * @param c the fit parameter
 * @param error its standard error
 */
record Overhead(double c, double error) {
  /** A point: the overhead at an interval or a size. */
  record Point(double x, double ratio) {}

  /** The least squares fit: T - 1 is linear in 1/x, without a constant. */
  static Overhead fit(List<Point> points) {
    double sumXy = 0;
    double sumXx = 0;
    for (Point point : points) {
      sumXy += (point.ratio - 1) / point.x;
      sumXx += 1 / (point.x * point.x);
    }
    double c = sumXy / sumXx;
    double residual = 0;
    for (Point point : points) {
      double difference = point.ratio - 1 - c / point.x;
      residual += difference * difference;
    }
    return new Overhead(c, Math.sqrt(residual / Math.max(1, points.size() - 1) / sumXx));
  }

  double at(double x) {
    return (x + c) / x;
  }
}
