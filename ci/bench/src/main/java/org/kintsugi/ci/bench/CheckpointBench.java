// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.bench;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.DoubleSupplier;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.checkpoint.internal.CheckpointAccess;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.internal.memory.Memory;

/**
 * Runs on four ranks: saves in memory and to files, and what they do in C, in turns. A time is that of the slowest rank; of the
 * turns, the median counts.
 */
final class CheckpointBench {
  static final int RANKS = 4;
  private static final int MEGABYTES = 64;
  private static final int ELEMENTS = (MEGABYTES << 20) / Double.BYTES;
  private static final int TURNS = 9;
  private static final long COMPUTE_NANOS = 1_500_000_000L;

  private final Mpi mpi;
  private final Comm world;
  private final double[] data = new double[ELEMENTS];
  private final int bytes;
  private long version;

  private CheckpointBench(Mpi mpi, int bytes) {
    this.mpi = mpi;
    this.bytes = bytes;
    world = mpi.world();
  }

  /**
   * Arguments: a folder on the disk that is to be measured (none: only saves in memory are), and bytes per rank if not
   * {@value #MEGABYTES} MiB.
   */
  public static void main(String[] args) {
    Twins.load();
    System.setProperty("kintsugi.checkpoint.store", "file");
    try (Mpi mpi = Mpi.init(args)) {
      CheckpointBench bench = new CheckpointBench(mpi, args.length > 1 ? Integer.parseInt(args[1]) : MEGABYTES << 20);
      bench.memory();
      if (args.length > 0) {
        System.setProperty("kintsugi.checkpoint.dir", args[0]);
        bench.file(Path.of(args[0]));
      }
    }
  }

  private Checkpoint bind(Checkpoint checkpoint) {
    CheckpointAccess.get().bind(checkpoint, world);
    checkpoint.protect("data", Arrays.copyOf(data, bytes / Double.BYTES));
    return checkpoint;
  }

  private void memory() {
    Checkpoint checkpoint = bind(CheckpointAccess.get().inMemory(mpi.processorName()));
    int next = (world.rank() + 1) % world.size();
    int before = (world.rank() + world.size() - 1) % world.size();
    try (Buf from = Buf.allocateBytes(bytes); Buf own = Buf.allocateBytes(bytes); Buf held = Buf.allocateBytes(bytes)) {
      compare("save in memory", checkpoint,
          () -> Twins.memorySave(from.address(), own.address(), held.address(), bytes, next, before));
    }
    checkpoint.close();
  }

  private void file(Path folder) {
    Checkpoint checkpoint = bind(CheckpointAccess.get().ofJob(mpi.processorName()));
    long path = Memory.allocateString(folder.resolve("twin-" + world.rank()).toString());
    try (Buf from = Buf.allocateBytes(bytes)) {
      compare("save to files", checkpoint, () -> Twins.fileSave(path, from.address(), bytes));
    }
    Memory.free(path);
    checkpoint.close();
  }

  private void compare(String what, Checkpoint checkpoint, DoubleSupplier twin) {
    double[] c = new double[TURNS];
    double[] java = new double[TURNS];
    double[] async = new double[TURNS];
    // Twice each to warm up: the engine has two slots.
    for (int turn = -2; turn < TURNS; turn++) {
      int at = Math.max(turn, 0);
      c[at] = slowest(twin);
      java[at] = slowest(() -> seconds(() -> checkpoint.save(++version)));
      async[at] = slowest(() -> heldUp(checkpoint));
    }
    row(what, "C", c, c);
    row(what, "save", java, c);
    row(what, "saveAsync over save", async, java);
  }

  /** The calls' time; between them the program computes and lets MPI make progress, as programs do. */
  private double heldUp(Checkpoint checkpoint) {
    double begun = seconds(() -> checkpoint.saveAsync(++version));
    long until = System.nanoTime() + COMPUTE_NANOS;
    while (System.nanoTime() < until) {
      world.iProbe(Comm.ANY_SOURCE, Comm.ANY_TAG, null);
      pause();
    }
    return begun + seconds(checkpoint::awaitSave);
  }

  private static void pause() {
    try {
      Thread.sleep(0, 200_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static double seconds(Runnable work) {
    long start = System.nanoTime();
    work.run();
    return (System.nanoTime() - start) / 1e9;
  }

  private double slowest(DoubleSupplier work) {
    world.barrier();
    double seconds = work.getAsDouble();
    if (seconds < 0) {
      throw new IllegalStateException("the C twin could not write");
    }
    return world.allReduce(seconds, Op.MAX);
  }

  private void row(String what, String variant, double[] values, double[] base) {
    if (world.rank() == 0) {
      System.out.printf("%s\t%s\t%.0f\t%.3f%n", what, variant, Median.of(values) * 1e6, Median.of(values) / Median.of(base));
    }
  }
}
