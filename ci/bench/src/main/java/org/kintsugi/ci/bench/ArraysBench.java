// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.bench;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Datatype;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;

/**
 * Runs on two ranks: decides whether large messages are received in place into Java arrays
 * (docs/decisions/0023-arrays-are-received-in-place.md).
 *
 * <p>Ping-pong of arrays in place and through a block, by turns in one job. Kintsugi does not receive in place while an operation
 * written in Java is open: that is the switch. Then the same while a thread of each rank allocates, for the time that a
 * collection of garbage waits for a critical region.
 */
final class ArraysBench {
  private static final int TURNS = 21;
  private static final int WARM_UP_TURNS = 15;
  /** Below the least size of a receive in place, and two above it. */
  private static final int[] SIZES = {64 << 10, 1 << 20, 4 << 20};

  private static final String IN_PLACE = "in place";
  private static final String BY_BLOCK = "through a block";
  private static final String OVER_BLOCK = "in place over block";

  private ArraysBench() {}

  /** Prints one line for each figure: {@code name<TAB>variant<TAB>microseconds<TAB>ratio}. */
  public static void main(String[] args) {
    Twins.load();
    try (Mpi mpi = Mpi.init(args)) {
      Comm world = mpi.world();
      for (int bytes : SIZES) {
        pingPong(world, bytes);
      }
      for (int bytes : SIZES) {
        allocations(world, bytes);
      }
    }
  }

  private static Op inJava() {
    return Op.of(Datatype.DOUBLE, true, (in, inOut, count) -> {});
  }

  private static int rounds(int bytes) {
    return Math.max(20, (16 << 20) / bytes);
  }

  private static void pingPong(Comm world, int bytes) {
    int rounds = rounds(bytes);
    Buf array = Buf.wrap(new byte[bytes]);
    double[] c = new double[TURNS];
    double[] inPlace = new double[TURNS];
    double[] byBlock = new double[TURNS];
    try (Buf memory = Buf.allocateBytes(bytes)) {
      for (int turn = -WARM_UP_TURNS; turn < TURNS; turn++) {
        int at = Math.max(turn, 0);
        world.barrier();
        c[at] = Twins.pingPong(memory.address(), bytes, rounds, world.rank()) / rounds / 2 * 1e6;
        world.barrier();
        inPlace[at] = micros(world, array, rounds);
        Op switchesItOff = inJava();
        world.barrier();
        byBlock[at] = micros(world, array, rounds);
        switchesItOff.close();
      }
    }
    if (world.rank() == 0) {
      String name = "array " + bytes + " B";
      print(name, "C", Median.of(c), 1);
      print(name, IN_PLACE, Median.of(inPlace), Median.of(ratios(inPlace, c)));
      print(name, BY_BLOCK, Median.of(byBlock), Median.of(ratios(byBlock, c)));
      print(name, OVER_BLOCK, Median.of(inPlace) - Median.of(byBlock), Median.of(ratios(inPlace, byBlock)));
    }
  }

  /** Microseconds for a message. */
  private static double micros(Comm world, Buf array, int rounds) {
    return MessageBench.pingPong(world, array, rounds, world.rank()) * 1e6 / rounds / 2;
  }

  /** The longest allocation of a turn on rank 0. */
  private static void allocations(Comm world, int bytes) {
    int rounds = rounds(bytes);
    Buf array = Buf.wrap(new byte[bytes]);
    double[] inPlace = new double[TURNS];
    double[] byBlock = new double[TURNS];
    Allocator allocator = new Allocator();
    allocator.start();
    for (int turn = -WARM_UP_TURNS / 3; turn < TURNS; turn++) {
      int at = Math.max(turn, 0);
      world.barrier();
      allocator.takeLongest();
      micros(world, array, rounds);
      inPlace[at] = allocator.takeLongest() / 1e3;
      Op switchesItOff = inJava();
      world.barrier();
      allocator.takeLongest();
      micros(world, array, rounds);
      byBlock[at] = allocator.takeLongest() / 1e3;
      switchesItOff.close();
    }
    allocator.end();
    if (world.rank() == 0) {
      String name = "allocation during " + bytes + " B";
      print(name, IN_PLACE, Median.of(inPlace), max(inPlace));
      print(name, BY_BLOCK, Median.of(byBlock), max(byBlock));
      print(name, OVER_BLOCK, Median.of(inPlace) - Median.of(byBlock), Median.of(inPlace) / Median.of(byBlock));
    }
  }

  private static double[] ratios(double[] values, double[] over) {
    double[] ratios = new double[values.length];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = values[i] / over[i];
    }
    return ratios;
  }

  private static double max(double... values) {
    return Arrays.stream(values).max().orElse(0);
  }

  private static void print(String name, String variant, double micros, double ratio) {
    System.out.printf("%s\t%s\t%.3f\t%.3f%n", name, variant, micros, ratio);
  }

  /** Allocates some hundred MiB a second, most of which is garbage at once, and notes the longest time for one piece. */
  private static final class Allocator extends Thread {
    private static final int PIECE = 256 << 10;
    private static final int KEPT = 16;
    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

    private final byte[][] kept = new byte[KEPT][];
    private volatile long longest;
    private volatile boolean ended;

    Allocator() {
      super("allocates");
      setDaemon(true);
    }

    @Override
    public void run() {
      for (int i = 0; !ended; i = (i + 1) % KEPT) {
        long start = System.nanoTime();
        kept[i] = new byte[PIECE];
        longest = Math.max(longest, System.nanoTime() - start);
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }

    /** The longest since the last call, in nanoseconds. */
    long takeLongest() {
      long taken = longest;
      longest = 0;
      return taken;
    }

    void end() {
      ended = true;
    }
  }
}
