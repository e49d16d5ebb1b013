// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.growth;

import java.util.List;

/**
 * A time over the number of processes p: {@code constant + perLevel * log2 p + perProcess * p}. No coefficient is negative:
 * a part that shrinks with more processes would only describe the noise of the others.
 *
 * @param constant the part that does not grow
 * @param perLevel what each doubling of the processes adds
 * @param perProcess what each process adds
 */
public record Fit(double constant, double perLevel, double perProcess) {
  private static final int TERMS = 3;

  /** A measured value, and how many processes there were. */
  public record Point(int processes, double value) {}

  double at(double processes) {
    return constant + perLevel * Math.log(processes) / Math.log(2) + perProcess * processes;
  }

  /**
   * The fit with the least sum of squares of relative differences: a point of 2 processes counts as much as one of 64. Of the
   * eight choices of terms, each with its own least squares, those with a negative coefficient are left out.
   */
  static Fit of(List<Point> points) {
    Fit best = new Fit(0, 0, 0);
    double least = Double.MAX_VALUE;
    // Values that are nearly nothing must not outweigh all others.
    double floor = Math.max(1e-12, points.stream().mapToDouble(Point::value).average().orElse(1) / 5);
    for (int terms = 1; terms < 1 << TERMS; terms++) {
      double[] solved = solve(points, terms, floor);
      if (solved == null || solved[0] < 0 || solved[1] < 0 || solved[2] < 0) {
        continue;
      }
      Fit fit = new Fit(solved[0], solved[1], solved[2]);
      double sum = 0;
      for (Point point : points) {
        double difference = (fit.at(point.processes) - point.value) * weight(point, floor);
        sum += difference * difference;
      }
      // A term more must be worth it, so that three points do not decide upon a million.
      if (sum < least * 0.99) {
        least = sum;
        best = fit;
      }
    }
    return best;
  }

  private static double weight(Point point, double floor) {
    return 1 / Math.max(point.value, floor);
  }

  private static double[] terms(Point point) {
    return new double[] {1, Math.log(point.processes) / Math.log(2), point.processes};
  }

  /** The normal equations of the chosen terms, by elimination; null: they have no single solution. */
  private static double[] solve(List<Point> points, int chosen, double floor) {
    double[][] matrix = new double[TERMS][TERMS + 1];
    for (int i = 0; i < TERMS; i++) {
      if ((chosen & 1 << i) == 0) {
        matrix[i][i] = 1;
        continue;
      }
      for (Point point : points) {
        double[] terms = terms(point);
        double weight = Math.pow(weight(point, floor), 2);
        for (int j = 0; j < TERMS; j++) {
          matrix[i][j] += (chosen & 1 << j) == 0 ? 0 : weight * terms[i] * terms[j];
        }
        matrix[i][TERMS] += weight * terms[i] * point.value;
      }
    }
    for (int i = 0; i < TERMS; i++) {
      if (Math.abs(matrix[i][i]) < 1e-12) {
        return null;
      }
      for (int row = 0; row < TERMS; row++) {
        double factor = row == i ? 0 : matrix[row][i] / matrix[i][i];
        for (int column = i; column <= TERMS; column++) {
          matrix[row][column] -= factor * matrix[i][column];
        }
      }
    }
    return new double[] {matrix[0][TERMS] / matrix[0][0], matrix[1][TERMS] / matrix[1][1], matrix[2][TERMS] / matrix[2][2]};
  }
}
