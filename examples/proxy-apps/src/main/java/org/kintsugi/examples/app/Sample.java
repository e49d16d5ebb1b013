// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.app;

import java.util.Arrays;
import java.util.function.DoublePredicate;
import java.util.stream.IntStream;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Op;

/**
 * Points of a plane, each with a value.
 *
 * @param x of each point
 * @param y of each point
 * @param value of each point
 */
public record Sample(double[] x, double[] y, double[] value) {
  /** The largest number of points of all ranks: a picture cannot show more of them separately. */
  public static final int MOST = 20_000;

  private static final int NUMBERS = 3;

  /** How many points these are. */
  public int size() {
    return x.length;
  }

  /** The greatest value; 0 without points, or if all are less. */
  public double greatest() {
    return Arrays.stream(value).reduce(0.0, Math::max);
  }

  /** The points whose values fulfil a condition. */
  public Sample where(DoublePredicate condition) {
    return pick(IntStream.range(0, size()).filter(i -> condition.test(value[i])).toArray());
  }

  private Sample pick(int[] places) {
    return new Sample(Arrays.stream(places).mapToDouble(i -> x[i]).toArray(),
        Arrays.stream(places).mapToDouble(i -> y[i]).toArray(),
        Arrays.stream(places).mapToDouble(i -> value[i]).toArray());
  }

  /**
   * Gathers the points of all ranks on rank 0; every second or third only, if there are too many. Collective.
   *
   * @param world null: one rank
   * @return null on other ranks
   */
  public Sample gather(Comm world) {
    long all = world == null ? size() : world.allReduce((long) size(), Op.SUM);
    int stride = (int) Math.max(1, (all + MOST - 1) / MOST);
    Sample thin = pick(IntStream.range(0, size()).filter(i -> i % stride == 0).toArray());
    return world == null ? thin : thin.gatherAll(world);
  }

  private Sample gatherAll(Comm world) {
    boolean isRoot = world.rank() == 0;
    int[] counts = new int[world.size()];
    world.allGather(Buf.wrap(new int[] {NUMBERS * size()}), Buf.wrap(counts));
    int[] starts = new int[counts.length];
    for (int rank = 1; rank < starts.length; rank++) {
      starts[rank] = starts[rank - 1] + counts[rank - 1];
    }
    double[] all = new double[isRoot ? Arrays.stream(counts).sum() : 0];
    world.gatherV(Buf.wrap(packed()), isRoot ? Buf.wrap(all) : null, counts, starts, 0);
    return isRoot ? unpacked(all) : null;
  }

  private double[] packed() {
    double[] packed = new double[NUMBERS * size()];
    for (int i = 0; i < size(); i++) {
      packed[NUMBERS * i] = x[i];
      packed[NUMBERS * i + 1] = y[i];
      packed[NUMBERS * i + 2] = value[i];
    }
    return packed;
  }

  private static Sample unpacked(double[] packed) {
    int size = packed.length / NUMBERS;
    Sample sample = new Sample(new double[size], new double[size], new double[size]);
    for (int i = 0; i < size; i++) {
      sample.x[i] = packed[NUMBERS * i];
      sample.y[i] = packed[NUMBERS * i + 1];
      sample.value[i] = packed[NUMBERS * i + 2];
    }
    return sample;
  }
}
