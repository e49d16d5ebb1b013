// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments.revoke;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.RevokedException;

/**
 * Runs in the ranks: the revoke benchmark of "Plan B" (Bouteiller et al., EuroMPI 2015), in Java and in C, by turns in the same
 * job.
 *
 * <p>All ranks repeat a collective on plan A, a duplicate of the world. The initiator revokes plan A instead of taking part in
 * one more; the others are interrupted in it. All go on with the same collective on plan B, another duplicate. A latency is the
 * longest of all ranks.
 */
public final class RevokeMeasurement implements AutoCloseable {
  /** The names of the latencies. */
  public static final List<String> STEPS =
      List.of("before", "revoked", "1st after", "2nd after", "3rd after", "4th after", "5th after");
  /** A variant. */
  public static final String JAVA = "Java";
  /** A variant, which needs the library of C twins. */
  public static final String C = "C";

  private static final int BEFORE = 10;
  private static final int AFTER = 5;
  private static final int WARM_UP = 500;
  /** The JVM compiles what throws an exception only after it has been thrown thousands of times, and a repetition throws one. */
  private static final int WARM_UP_EXCEPTIONS = 20_000;
  /** Ranks agree on the time after this number of repetitions. */
  private static final int BETWEEN_CLOCKS = 20;

  private final Comm world;
  private final int count;
  private final int initiator;
  private final boolean hasTwin;
  private final Buf send;
  private final Buf receive;
  private final Buf mine = Buf.allocateDoubles(STEPS.size());
  private final Buf longest = Buf.allocateDoubles(STEPS.size());

  /**
   * @param count of doubles in an allreduce; 0: a barrier instead
   * @param initiator the rank that revokes
   * @param twins the library of C twins; null: Java only
   */
  public RevokeMeasurement(Comm world, int count, int initiator, Path twins) {
    this.world = world;
    this.count = count;
    this.initiator = initiator;
    hasTwin = twins != null;
    if (hasTwin) {
      RevokeTwin.load(twins);
    }
    send = Buf.allocateDoubles(Math.max(1, count));
    receive = Buf.allocateDoubles(Math.max(1, count));
  }

  /**
   * Microseconds of a variant.
   *
   * @param of for each step those of all repetitions, in their order
   */
  public record Latencies(double[][] of) {
    /** For each step. */
    public double[] means() {
      return Arrays.stream(of).mapToDouble(values -> Arrays.stream(values).average().orElseThrow()).toArray();
    }

    /** For each step; of an even number of values the higher one of the middle two. */
    public double[] medians() {
      return Arrays.stream(of).mapToDouble(values -> Arrays.stream(values).sorted().toArray()[values.length / 2]).toArray();
    }

    /** The number of repetitions. */
    public int times() {
      return of[0].length;
    }
  }

  /**
   * Measures after a warm-up. Collective over the world.
   *
   * @param times repetitions, at most
   * @param seconds after which there are no more repetitions
   * @return for each variant
   */
  public Map<String, Latencies> measure(int times, double seconds) {
    throwMany();
    repeat(Math.min(WARM_UP, times), seconds / 2, new TreeMap<>());
    Map<String, double[][]> all = new TreeMap<>();
    all.put(JAVA, new double[STEPS.size()][times]);
    if (hasTwin) {
      all.put(C, new double[STEPS.size()][times]);
    }
    int made = repeat(times, seconds, all);
    Map<String, Latencies> latencies = new TreeMap<>();
    all.forEach((variant, of) -> latencies.put(variant,
        new Latencies(Arrays.stream(of).map(values -> Arrays.copyOf(values, made)).toArray(double[][]::new))));
    return latencies;
  }

  private int repeat(int times, double seconds, Map<String, double[][]> all) {
    long begin = System.nanoTime();
    for (int repetition = 0; repetition < times; repetition++) {
      if (repetition > 0 && repetition % BETWEEN_CLOCKS == 0 && world.allReduce(since(begin), Op.MAX) > seconds) {
        return repetition;
      }
      if (hasTwin) {
        once(C, repetition, all);
      }
      once(JAVA, repetition, all);
    }
    return times;
  }

  private void once(String variant, int repetition, Map<String, double[][]> all) {
    try (Comm planA = world.dup(); Comm planB = world.dup()) {
      world.barrier();
      if (variant.equals(C)) {
        inC(planA, planB);
      } else {
        inJava(planA, planB);
      }
    }
    world.allReduce(mine, longest, Op.MAX);
    for (int step = 0; all.containsKey(variant) && step < STEPS.size(); step++) {
      all.get(variant)[step][repetition] = longest.getDouble(step) * 1e6;
    }
  }

  /** On a communicator of this rank alone, where a call on it returns at once. */
  private void throwMany() {
    int thrown = 0;
    try (Comm alone = world.split(world.rank(), 0)) {
      alone.revoke();
      for (int i = 0; i < WARM_UP_EXCEPTIONS; i++) {
        try {
          collective(alone);
        } catch (RevokedException expected) {
          thrown++;
        }
      }
    }
    if (thrown < WARM_UP_EXCEPTIONS) {
      throw new IllegalStateException("a revoked communicator was used " + (WARM_UP_EXCEPTIONS - thrown) + " times");
    }
  }

  private void inC(Comm planA, Comm planB) {
    int unexpected = RevokeTwin.revoke(planA.handle(), planB.handle(), send.address(), receive.address(), count, initiator,
        mine.address());
    if (unexpected > 0) {
      throw new IllegalStateException(unexpected + " calls in C had an unexpected result");
    }
  }

  private void inJava(Comm planA, Comm planB) {
    untilRevoked(planA);
    for (int i = 0; i < AFTER; i++) {
      long start = System.nanoTime();
      collective(planB);
      mine.putDouble(2 + i, since(start));
    }
  }

  /** A rank may still be in the last collective when the initiator has left it: then that one is revoked. */
  private void untilRevoked(Comm planA) {
    double time = 0;
    for (int i = 0; i <= BEFORE; i++) {
      mine.putDouble(0, time);
      boolean isRevoker = i == BEFORE && world.rank() == initiator;
      boolean isRevoked = isRevoker;
      long start = System.nanoTime();
      try {
        if (isRevoker) {
          planA.revoke();
        } else {
          collective(planA);
        }
      } catch (RevokedException expected) {
        isRevoked = true;
      }
      time = since(start);
      if (isRevoked) {
        mine.putDouble(1, time);
        return;
      }
    }
    throw new IllegalStateException("a collective ended that the initiator takes no part in");
  }

  private void collective(Comm comm) {
    if (count == 0) {
      comm.barrier();
    } else {
      comm.allReduce(send, receive, Op.SUM);
    }
  }

  private static double since(long start) {
    return (System.nanoTime() - start) / 1e9;
  }

  @Override
  public void close() {
    List.of(send, receive, mine, longest).forEach(Buf::close);
  }
}
