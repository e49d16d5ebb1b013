// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.network;

import java.util.Locale;
import java.util.concurrent.Callable;
import org.kintsugi.examples.app.JobCommand;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.MpiException;
import org.kintsugi.mpi.MpiFaultException;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.Run;
import org.kintsugi.reinit.RunResult;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Sends messages of all sizes around a ring, sums over all ranks and over halves of them, and checks each number that arrives;
 * then measures the time of a message between the first two ranks. With failures (jmpirun --kill) it shows whether a
 * network survives them: {@code kintsugi doctor --network} runs it on each.
 */
@Command(name = "network", description = "Messages of all sizes, checked, and their times: does this network survive failures?")
public final class NetworkTrial implements Callable<Integer> {
  /** Numbers of longs: below and above what is sent at once, in several fragments, and read by the receiver. */
  private static final int[] LENGTHS = {1, 16, 500, 5_000, 20_000, 131_072};

  private static final int RING_TAG = 1;
  private static final int PING_TAG = 2;
  private static final int SUM_LENGTH = 20_000;
  private static final int SAVE_INTERVAL = 5;
  private static final int SPLIT_INTERVAL = 4;
  private static final int MEBIBYTE = 131_072;

  @Option(names = "--iterations", paramLabel = "N", defaultValue = "60", description = "of all kinds of messages (60)")
  private int iterations;

  @Option(names = "--pings", paramLabel = "N", defaultValue = "1000",
      description = "messages of 8 bytes there and back whose time is taken; of 1 MiB a tenth (1000)")
  private int pings;

  /** Runs the program. */
  public static void main(String[] args) {
    JobCommand.run(new NetworkTrial(), args);
  }

  /** What a rank finds. */
  private record Result(int rank, long answer, double micros, double gigabytes) {}

  @Override
  public Integer call() {
    try (Mpi mpi = Mpi.init()) {
      requireReach(mpi);
      RunResult<Result> outcome = Reinit.call(mpi, this::run);
      if (!outcome.stayedSpare() && outcome.value().rank == 0) {
        Result result = outcome.value();
        System.out.printf(Locale.ROOT, "network: answer %016x, %d recoveries, 8 bytes %.2f us, 1 MiB %.3f GB/s%n", result.answer,
            outcome.recoveries().size(), result.micros, result.gigabytes);
      }
    }
    return 0;
  }

  /** Where no message arrives, the agreement that begins a run would wait for its limit. The job ends here, with the reason. */
  private static void requireReach(Mpi mpi) {
    Comm all = mpi.world();
    int next = (all.rank() + 1) % all.size();
    try (Buf out = Buf.allocateLongs(1); Buf in = Buf.allocateLongs(1)) {
      all.sendRecv(out, next, RING_TAG, in, (all.rank() + all.size() - 1) % all.size(), RING_TAG);
    } catch (MpiFaultException processFailed) {
      // The run recovers from that.
    } catch (MpiException unreachable) {
      System.err.println("network: rank " + all.rank() + " cannot reach rank " + next + ": " + unreachable.getMessage());
      mpi.abort(1);
    }
  }

  private Result run(Run run) {
    Comm world = run.world();
    long[] state = {0, 1}; // the next iteration, and a checksum of all that has arrived
    run.checkpoint().protect("state", state);
    run.checkpoint().restore();
    try (Buf out = Buf.allocateLongs(MEBIBYTE); Buf in = Buf.allocateLongs(MEBIBYTE)) {
      while (state[0] < iterations) {
        run.iteration(state[0]);
        ring(world, state, out, in);
        sum(world, state);
        if (state[0] % SPLIT_INTERVAL == 0) {
          sumOfHalf(world, state);
        }
        state[0]++;
        if (state[0] % SAVE_INTERVAL == 0) {
          run.checkpoint().save(state[0]);
        }
      }
      long answer = world.allReduce(state[1], Op.BXOR);
      return new Result(world.rank(), answer, micros(world, out, in, 1, pings),
          Long.BYTES * (double) MEBIBYTE / micros(world, out, in, MEBIBYTE, Math.max(1, pings / 10)) / 1000);
    }
  }

  /** What a rank sends in an iteration. */
  private static long value(long iteration, int rank, int length, int index) {
    return (iteration + 1) * 1_000_003 + rank * 10_007L + length * 31L + index;
  }

  private static void ring(Comm world, long[] state, Buf out, Buf in) {
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    for (int length : LENGTHS) {
      for (int i = 0; i < length; i++) {
        out.putLong(i, value(state[0], world.rank(), length, i));
      }
      world.sendRecv(out.slice(0, length), next, RING_TAG, in.slice(0, length), previous, RING_TAG);
      for (int i = 0; i < length; i++) {
        check(in.getLong(i), value(state[0], previous, length, i), "message of " + length + " longs", i);
      }
      state[1] = 31 * state[1] + in.getLong(length - 1);
    }
  }

  private static void sum(Comm world, long[] state) {
    long[] values = new long[SUM_LENGTH];
    for (int i = 0; i < SUM_LENGTH; i++) {
      values[i] = value(state[0], world.rank(), 0, i);
    }
    try (Buf buf = Buf.wrap(values)) {
      world.allReduce(buf, Op.SUM);
    }
    long ofRanks = 10_007L * world.size() * (world.size() - 1) / 2;
    for (int i = 0; i < SUM_LENGTH; i++) {
      check(values[i], ofRanks + world.size() * value(state[0], 0, 0, i), "sum", i);
    }
    state[1] = 31 * state[1] + values[SUM_LENGTH - 1];
  }

  /** Ranks with an even number and with an odd one have a communicator each. */
  private static void sumOfHalf(Comm world, long[] state) {
    try (Comm half = world.split(world.rank() % 2, world.rank())) {
      long count = half.allReduce(1L, Op.SUM);
      check(count, half.size(), "sum over every second rank", 0);
      state[1] = 31 * state[1] + half.allReduce(value(state[0], world.rank(), 0, 0), Op.SUM);
    }
  }

  private static void check(long arrived, long expected, String what, int index) {
    if (arrived != expected) {
      throw new IllegalStateException("wrong number in a " + what + ": number " + index + " is " + arrived + ", expected "
          + expected);
    }
  }

  /** One way, between the first two ranks. */
  private static double micros(Comm world, Buf out, Buf in, int length, int times) {
    boolean isPartner = world.rank() < 2 && world.size() > 1;
    double micros = 0;
    // Twice: the first time compiles it.
    for (int round = 0; round < 2; round++) {
      world.barrier();
      long begin = System.nanoTime();
      for (int i = 0; isPartner && i < times; i++) {
        if (world.rank() == 0) {
          world.send(out.slice(0, length), 1, PING_TAG);
          world.recv(in.slice(0, length), 1, PING_TAG);
        } else {
          world.recv(in.slice(0, length), 0, PING_TAG);
          world.send(out.slice(0, length), 0, PING_TAG);
        }
      }
      micros = (System.nanoTime() - begin) / 2000.0 / times;
    }
    return micros;
  }
}
