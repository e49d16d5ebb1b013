// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Datatype;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.Request;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.mpi.internal.memory.Staging;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.Run;
import org.kintsugi.runtime.SignalNumbers;
import org.kintsugi.test.RankJob;

/**
 * Runs in the ranks of {@link GuardTest}: rank 0 has the launcher signal a rollback.
 *
 * <p>Meanwhile the ranks do what the arguments choose. No process dies, so the same processes roll
 * back again and again.
 */
final class Signals {
  static final int EPOCHS = 6;
  /** The smallest staging block. */
  private static final int STALE_BYTES = 256;
  private static final int STALE = 0x7f7f7f7f;
  private static final int LARGE = 1 << 16;

  private final String moment;
  private final int rank; // in the job
  private long checksum;

  private Signals(String moment, int rank) {
    this.moment = moment;
    this.rank = rank;
  }

  /** Arguments: the folder for reports, the moment. */
  public static void main(String[] args) throws ReflectiveOperationException {
    OwnHandler own = new OwnHandler();
    int rank;
    Signals signals;
    try (Mpi mpi = Mpi.init(args)) {
      rank = mpi.world().rank();
      signals = new Signals(args[1], rank);
      if (args[1].equals("before-run")) {
        signals.signalSoon(0);
        sleep(2000); // until it is here
      }
      int epoch = Reinit.call(mpi, run -> {
        signals.body(run);
        return run.epoch();
      }).value();
      RankJob.report(args[0], String.valueOf(rank), epoch + " " + signals.checksum);
      if (args[1].equals("close")) {
        signals.signalSoon(0);
        sleep(rank == 1 ? 3000 : 0); // meanwhile it comes
      }
    }
    own.raise();
    for (int i = 0; i < 3000 && own.calls() == 0; i++) {
      sleep(10);
    }
    RankJob.report(args[0], "own-" + rank, String.valueOf(own.calls()));
  }

  private static void sleep(long millis) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  /** mpirun, whose child rank 0 is here, hands the signal on to all ranks. */
  private void signal() {
    Kintsugi.kintsugi_kill(Kintsugi.kintsugi_parent_pid(), SignalNumbers.SIGUSR1);
  }

  private void signalSoon(long millis) {
    if (rank == 0) {
      Thread thread = new Thread(() -> {
        sleep(millis);
        signal();
        if (moment.equals("twice")) {
          signal();
        }
      });
      thread.setDaemon(true);
      thread.start();
    }
  }

  private void body(Run run) {
    Comm world = run.world();
    if (run.epoch() < EPOCHS && !moment.equals("before-run") && !moment.equals("close")) {
      signalSoon(3);
      disturbed(run, world);
      throw new IllegalStateException("rank " + world.rank() + " came through epoch " + run.epoch() + " undisturbed");
    }
    // The world is whole, and in order.
    long sum = 0;
    for (int i = 0; i < 50; i++) {
      sum += (long) world.allReduce((double) (i * (world.rank() + 1)), Op.SUM);
    }
    checksum = sum;
  }

  /** Ends by a rollback only. */
  private void disturbed(Run run, Comm world) {
    int[] number = new int[1];
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (System.nanoTime() - until < 0) {
      switch (moment) {
        case "computing":
        case "twice":
          compute();
          world.barrier();
          break;
        case "polling":
          compute();
          run.poll();
          break;
        case "receiving":
          world.recv(Buf.wrap(number), world.rank(), 77);
          break;
        case "waiting":
          Request.waitAll(world.iRecv(Buf.wrap(number), world.rank(), 77), world.iRecv(Buf.wrap(number), world.rank(), 78));
          break;
        case "testing":
          Request request = world.iRecv(Buf.wrap(number), world.rank(), 77);
          while (!request.test()) {
            Thread.onSpinWait();
          }
          break;
        case "testing-some":
          // The staging block of the next call has held other data before.
          long block = Staging.acquire(1);
          for (int at = 0; at < STALE_BYTES; at += Integer.BYTES) {
            Memory.putInt(block + at, STALE);
          }
          Staging.release(block, 1);
          Request.testSome(world.iRecv(Buf.wrap(number), world.rank(), 77));
          break;
        case "reducing":
          // Slow on purpose, so that the signal comes while Java is inside of MPI.
          try (Op slow = Op.of(Datatype.INT, true, (in, inOut, count) -> {
            compute();
            inOut.putInt(0, inOut.getInt(0) + in.getInt(0));
          })) {
            world.allReduce(Buf.wrap(number), Buf.wrap(new int[1]), slow);
          }
          break;
        case "local":
          // Calls that no rollback may tear apart.
          for (int i = 0; i < 1000; i++) {
            try (Datatype pair = Datatype.contiguous(2, Datatype.DOUBLE)) {
              pair.size();
            }
          }
          run.poll();
          break;
        default:
          storm(world);
      }
    }
  }

  /** As much traffic as there can be, of all kinds. */
  private void storm(Comm world) {
    double[] data = new double[LARGE];
    int next = (world.rank() + 1) % world.size();
    int before = (world.rank() + world.size() - 1) % world.size();
    try (Comm other = world.dup()) {
      for (int i = 0; i < 20; i++) {
        Request receive = other.iRecv(Buf.wrap(data), before, i);
        other.send(Buf.wrap(new double[LARGE >> (i % 8)]), next, i);
        receive.waitFor();
        world.allReduce(Buf.wrap(data), Buf.wrap(new double[LARGE]), Op.SUM);
      }
    }
  }

  private void compute() {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(5);
    while (System.nanoTime() - until < 0) {
      Thread.onSpinWait();
    }
  }
}
