// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.bench;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.Run;
import org.kintsugi.reinit.State;
import org.kintsugi.reinit.WarmUp;
import org.kintsugi.runtime.SignalNumbers;

/** Runs in the ranks: what native/twins/recovery.c does in C, loop for loop. */
final class RecoveryRanks implements Reinit.Body {
  /** Two times for each rank of each epoch. */
  static final int STAMPS = 2;

  static final int LAST_BARRIER = 0;
  static final int FIRST_COLLECTIVE = 1;

  /** Mebibytes of heap that a process has when it dies; a system property. */
  static final String HEAP = "kintsugi.bench.heap";

  private static final int SETTLED = 10;
  private static final int CLOSING = 50;

  private final Path file;
  private final int kills;
  private final int iterations;
  private LongBuffer stamps;
  private long lastBarrier;
  private int self;
  private final byte[][] heap = new byte[Integer.getInteger(HEAP, 0)][];

  private RecoveryRanks(Path file, int kills, int iterations) {
    this.file = file;
    this.kills = kills;
    this.iterations = iterations;
  }

  /** Arguments: the file for the times, how often a rank is to die, barriers before it does. */
  public static void main(String[] args) {
    try (Mpi mpi = Mpi.init(args)) {
      Reinit.run(mpi, of(args));
    }
  }

  private static RecoveryRanks of(String... args) {
    return new RecoveryRanks(Path.of(args[0]), Integer.parseInt(args[1]), Integer.parseInt(args[2]));
  }

  @WarmUp
  private static void warmUp() throws InterruptedException {
    of("nowhere", "1", "1");
    Thread.sleep(1);
  }

  @Override
  public void enter(Run run) throws IOException, InterruptedException {
    Comm world = run.world();
    int epoch = run.epoch();
    long lastOfOldEpoch = lastBarrier;
    long first = 0;
    boolean lastEpoch = epoch == kills;
    for (int i = 0; !lastEpoch || i < CLOSING; i++) {
      world.barrier();
      lastBarrier = System.nanoTime();
      if (i == 0) {
        first = lastBarrier;
      } else if (i == SETTLED) {
        writeDown(world, epoch, FIRST_COLLECTIVE, first);
        fillHeap();
        learnToFail();
        if (run.state() == State.REINITED) {
          writeDown(world, epoch - 1, LAST_BARRIER, lastOfOldEpoch);
        }
      }
      if (!lastEpoch && i + 1 == iterations && world.rank() == epoch % world.size()) {
        writeDown(world, epoch, LAST_BARRIER, lastBarrier);
        Kintsugi.kintsugi_kill(self, SignalNumbers.SIGKILL);
      }
      Thread.sleep(2);
    }
  }

  private void fillHeap() {
    for (int i = 0; i < heap.length && heap[i] == null; i++) {
      heap[i] = new byte[1 << 20];
    }
  }

  /** So that it happens at once later on: the first look at a process handle takes some milliseconds. */
  private void learnToFail() {
    self = (int) ProcessHandle.current().pid();
    Kintsugi.kintsugi_kill(self, 0);
  }

  private void writeDown(Comm world, int epoch, int stamp, long nanos) throws IOException {
    if (stamps == null) {
      long bytes = (long) Long.BYTES * (kills + 1) * world.size() * STAMPS;
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
        stamps = channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes).order(ByteOrder.nativeOrder()).asLongBuffer();
      }
    }
    stamps.put((epoch * world.size() + world.rank()) * STAMPS + stamp, nanos);
  }
}
