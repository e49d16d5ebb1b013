// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.sparse;

/** Vector kernels; sums strictly from left to right, no fused multiply-add. */
public final class Vectors {
  private Vectors() {}

  /** The part of an inner product that this rank owns. */
  public static double dot(int n, double[] a, double[] b) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }

  /** w = a + factor * b. */
  public static void add(int n, double[] a, double factor, double[] b, double[] w) {
    for (int i = 0; i < n; i++) {
      w[i] = a[i] + factor * b[i];
    }
  }
}
