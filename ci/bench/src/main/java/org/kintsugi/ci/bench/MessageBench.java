// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.bench;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.Request;

/**
 * Runs on two ranks: compares ping-pong and allreduce from Java with C.
 *
 * <p>C, the raw bindings, Buf, a direct buffer and an array take turns, so that noise hits all
 * alike. The result is the median of the rounds' ratios to C.
 */
final class MessageBench {
  /** Messages in flight at once where bandwidth is measured. */
  static final int WINDOW = 16;

  static final String PING_PONG = "pingpong";
  /** A message takes ten times its time in shared memory, and the compiler is through after fewer. */
  private static final int OVER_A_NETWORK = 10;

  private static final int TURNS = 15;
  /** Until the compiler is through: a turn takes some milliseconds, and on two cores the ranks compete with it. */
  private static final int WARM_UP_TURNS = 100;
  private static final int[] SIZES = {1, 8, 64, 1024, 16 << 10, 256 << 10, 1 << 20, 4 << 20};

  private static final int[] STREAM_SIZES = {1024, 64 << 10, 1 << 20};

  private MessageBench() {}

  /**
   * Prints one line for each figure: {@code name<TAB>variant<TAB>microseconds<TAB>ratio}. With {@link #PING_PONG} and sizes only
   * these.
   */
  public static void main(String[] args) {
    Twins.load();
    try (Mpi mpi = Mpi.init(args)) {
      Comm world = mpi.world();
      if (args.length > 0 && args[0].equals(PING_PONG)) {
        for (int i = 1; i < args.length; i++) {
          int bytes = Integer.parseInt(args[i]);
          pingPong(world, bytes, Math.max(2, rounds(bytes) / OVER_A_NETWORK));
        }
        return;
      }
      for (int bytes : SIZES) {
        pingPong(world, bytes, rounds(bytes));
      }
      for (int bytes : STREAM_SIZES) {
        stream(world, bytes);
      }
      allReduce(world, 1);
      allReduce(world, 1024);
      allocation(world);
    }
  }

  private static int rounds(int bytes) {
    return Math.max(20, Math.min(20_000, (64 << 20) / bytes / 16));
  }

  private static void pingPong(Comm world, int bytes, int rounds) {
    int me = world.rank();
    Buf buf = Buf.allocateBytes(bytes);
    Buf direct = Buf.wrap(ByteBuffer.allocateDirect(bytes));
    Buf array = Buf.wrap(new byte[bytes]);
    List<IntToDoubleFunction> variants = List.of(
        n -> Twins.pingPong(buf.address(), bytes, n, me),
        n -> rawPingPong(buf.address(), bytes, n, me),
        n -> pingPong(world, buf, n, me), n -> pingPong(world, direct, n, me), n -> pingPong(world, array, n, me));
    measure(world, "pingpong " + bytes + " B", rounds, 2.0 * rounds, variants, "C", "raw bindings", "Buf", "direct buffer",
        "array");
    buf.close();
  }

  private static double rawPingPong(long address, int bytes, int rounds, int me) {
    long comm = MPI.MPI_COMM_WORLD;
    long type = MPI.MPI_BYTE;
    long start = System.nanoTime();
    for (int i = 0; i < rounds; i++) {
      if (me == 0) {
        MPI.MPI_Send(address, bytes, type, 1, 0, comm);
        MPI.MPI_Recv(address, bytes, type, 1, 0, comm, 0);
      } else {
        MPI.MPI_Recv(address, bytes, type, 0, 0, comm, 0);
        MPI.MPI_Send(address, bytes, type, 0, 0, comm);
      }
    }
    return (System.nanoTime() - start) / 1e9;
  }

  /** Seconds for a number of rounds, of two messages each, between ranks 0 and 1. */
  static double pingPong(Comm world, Buf buf, int rounds, int me) {
    long start = System.nanoTime();
    for (int i = 0; i < rounds; i++) {
      if (me == 0) {
        world.send(buf, 1, 0);
        world.recv(buf, 1, 0);
      } else {
        world.recv(buf, 0, 0);
        world.send(buf, 0, 0);
      }
    }
    return (System.nanoTime() - start) / 1e9;
  }

  /** Time per message of a stream; the ratio of bandwidths is the inverse of the ratio of times. */
  private static void stream(Comm world, int bytes) {
    int me = world.rank();
    int rounds = Math.max(2, rounds(bytes) / WINDOW);
    Buf buf = Buf.allocateBytes((long) WINDOW * bytes);
    measure(world, "stream " + bytes + " B", rounds, (double) rounds * WINDOW, List.of(
        n -> Twins.stream(buf.address(), bytes, n, me),
        n -> stream(world, buf, bytes, n, me, true), n -> stream(world, buf, bytes, n, me, false)), "C", "Buf", "a request each");
    buf.close();
  }

  /** @param reuses as in C, where a window's requests are the same memory each time; else each message has a new one */
  private static double stream(Comm world, Buf buf, int bytes, int rounds, int me, boolean reuses) {
    Buf[] parts = new Buf[WINDOW];
    for (int w = 0; w < WINDOW; w++) {
      parts[w] = buf.slice(me == 0 ? 0 : (long) w * bytes, bytes);
    }
    Buf nothing = buf.slice(0, 0);
    Request[] requests = new Request[WINDOW];
    long start = System.nanoTime();
    for (int i = 0; i < rounds; i++) {
      for (int w = 0; w < WINDOW; w++) {
        Request old = reuses ? requests[w] : null;
        requests[w] = me == 0 ? world.iSend(parts[w], 1, 0, old) : world.iRecv(parts[w], 0, 0, old);
      }
      Request.waitAll(requests);
      if (me == 0) {
        world.recv(nothing, 1, 1);
      } else {
        world.send(nothing, 0, 1);
      }
    }
    return (System.nanoTime() - start) / 1e9;
  }

  private static void allReduce(Comm world, int count) {
    Buf send = Buf.allocateDoubles(count);
    Buf receive = Buf.allocateDoubles(count);
    int rounds = 10_000;
    measure(world, "allreduce " + 8 * count + " B", rounds, rounds, List.of(
        n -> Twins.allReduce(send.address(), receive.address(), count, n),
        n -> rawAllReduce(send.address(), receive.address(), count, n),
        n -> allReduce(world, send, receive, n)), "C", "raw bindings", "Buf");
  }

  private static double rawAllReduce(long send, long receive, int count, int rounds) {
    long comm = MPI.MPI_COMM_WORLD;
    long start = System.nanoTime();
    for (int i = 0; i < rounds; i++) {
      MPI.MPI_Allreduce(send, receive, count, MPI.MPI_DOUBLE, MPI.MPI_SUM, comm);
    }
    return (System.nanoTime() - start) / 1e9;
  }

  private static double allReduce(Comm world, Buf send, Buf receive, int rounds) {
    long start = System.nanoTime();
    for (int i = 0; i < rounds; i++) {
      world.allReduce(send, receive, Op.SUM);
    }
    return (System.nanoTime() - start) / 1e9;
  }

  private static void measure(Comm world, String name, int rounds, double divisor, List<IntToDoubleFunction> variants,
      String... names) {
    double[][] seconds = new double[variants.size()][TURNS];
    for (int turn = -WARM_UP_TURNS; turn < TURNS; turn++) {
      for (int v = 0; v < variants.size(); v++) {
        world.barrier();
        double time = variants.get(v).applyAsDouble(rounds);
        if (turn >= 0) {
          seconds[v][turn] = time;
        }
      }
    }
    if (world.rank() == 0) {
      for (int v = 0; v < names.length; v++) {
        List<Double> ratios = new ArrayList<>();
        for (int turn = 0; turn < TURNS; turn++) {
          ratios.add(seconds[v][turn] / seconds[0][turn]);
        }
        System.out.printf("%s\t%s\t%.3f\t%.3f%n", name, names[v], Median.of(seconds[v]) / divisor * 1e6, Median.of(ratios));
      }
    }
  }

  /** Bytes of Java heap that a steady loop of sends, receives and allreduces takes. */
  private static void allocation(Comm world) {
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    Buf buf = Buf.allocateDoubles(1);
    Buf result = Buf.allocateDoubles(1);
    int rounds = 20_000;
    long bytes = 0;
    for (int turn = 0; turn < 3; turn++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      pingPong(world, buf, rounds, world.rank());
      allReduce(world, buf, result, rounds);
      bytes = threads.getCurrentThreadAllocatedBytes() - before;
    }
    if (world.rank() == 0) {
      System.out.printf("allocation\tBuf\t%d\t%.6f%n", bytes, bytes / (3.0 * rounds));
    }
  }
}
