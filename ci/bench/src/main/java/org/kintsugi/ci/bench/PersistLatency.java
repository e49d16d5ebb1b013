// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.bench;

import java.util.Map;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Info;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.persist.PersistentComm;

/**
 * Runs on two ranks: measures the time to store a message, on every store.
 *
 * <p>The result is its ratio to the latency of a plain send (half of a ping-pong). Both take turns,
 * so that noise hits both alike; the median of the turns' ratios counts.
 */
final class PersistLatency {
  private static final int BYTES = 1024;
  private static final int TURNS = 9;
  private static final int WARM_UP = 3;

  private PersistLatency() {}

  /** Argument: a folder. Prints one line for each store: {@code name<TAB>variant<TAB>microseconds<TAB>ratio}. */
  public static void main(String[] args) {
    try (Mpi mpi = Mpi.init(args); Buf buf = Buf.allocateBytes(BYTES)) {
      Comm world = mpi.world();
      String[] stores = {"memory", "file", "jdbc"};
      int[] rounds = {20_000, 5_000, 200};
      for (int s = 0; s < stores.length; s++) {
        try (Info info = Info.of(Map.of("kintsugi_persist_store", stores[s], "kintsugi_persist_dir", args[0],
            "kintsugi_persist_sync", "never"));
            PersistentComm persistent = PersistentComm.of(world, "bench " + stores[s], info)) {
          measure(world, persistent, buf, stores[s], rounds[s]);
          persistent.forget();
        }
      }
    }
  }

  private static void measure(Comm world, PersistentComm persistent, Buf buf, String store, int rounds) {
    double[] plain = new double[TURNS];
    double[] stored = new double[TURNS];
    double[] ratios = new double[TURNS];
    for (int turn = -WARM_UP; turn < TURNS; turn++) {
      world.barrier();
      double latency = MessageBench.pingPong(world, buf, 20_000, world.rank()) / (2.0 * 20_000);
      world.barrier();
      long start = System.nanoTime();
      for (int i = 0; i < rounds; i++) {
        persistent.comm().send(buf, world.rank(), 1);
      }
      double store1 = (System.nanoTime() - start) / 1e9 / rounds;
      if (turn >= 0) {
        plain[turn] = latency;
        stored[turn] = store1;
        ratios[turn] = store1 / latency;
      }
    }
    if (world.rank() == 0) {
      System.out.printf("store %d B\tplain send\t%.3f\t%.3f%n", BYTES, Median.of(plain) * 1e6, 1.0);
      System.out.printf("store %d B\t%s\t%.3f\t%.3f%n", BYTES, store, Median.of(stored) * 1e6, Median.of(ratios));
    }
  }
}
