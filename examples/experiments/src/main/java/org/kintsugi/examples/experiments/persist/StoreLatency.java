// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments.persist;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.Map;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Info;
import org.kintsugi.mpi.Op;
import org.kintsugi.persist.PersistSettings;
import org.kintsugi.persist.PersistentComm;

/**
 * Runs in the ranks: the time to store a message, beside the latency of a plain send (half of a ping-pong of the ranks 0 and 1).
 * Both take turns, so that noise hits both alike; medians of the turns count.
 */
final class StoreLatency {
  private static final int BYTES = 1024;
  private static final int TURNS = 9;
  private static final int WARM_UP = 3;
  private static final double TURN_SECONDS = 0.02;
  private static final int PROBES = 10;
  private static final int MOST_ROUNDS = 20_000;
  private static final int TAG = 1;

  private final Comm world;
  private final Comm stored;
  private final Buf buf;

  private StoreLatency(Comm world, Comm stored, Buf buf) {
    this.world = world;
    this.stored = stored;
    this.buf = buf;
  }

  /** Collective over the world. Writes microseconds, and their ratio. */
  static void measure(Comm world, ObjectNode figures) {
    try (Info info = Info.of(Map.of(PersistSettings.SYNC, "never", PersistSettings.NAME, "latency"));
        PersistentComm persistent = PersistentComm.of(world, "latency", info); Buf buf = Buf.allocateBytes(BYTES)) {
      new StoreLatency(world, persistent.comm(), buf).measure(figures);
      persistent.forget();
    }
  }

  private void measure(ObjectNode figures) {
    double[] plain = new double[TURNS];
    double[] ofStore = new double[TURNS];
    double[] ratios = new double[TURNS];
    for (int turn = -WARM_UP; turn < TURNS; turn++) {
      double latency = timed(this::pingPong) / 2;
      double storing = timed(this::store);
      if (turn >= 0) {
        plain[turn] = latency;
        ofStore[turn] = storing;
        ratios[turn] = storing / latency;
      }
    }
    figures.put("bytes", BYTES).put("sendMicros", median(plain) * 1e6).put("storeMicros", median(ofStore) * 1e6)
        .put("ratio", median(ratios));
  }

  private static double median(double[] values) {
    return Arrays.stream(values).sorted().toArray()[values.length / 2];
  }

  /** Seconds of one round, of as many as the ranks have agreed on. */
  private double timed(Runnable round) {
    double probe = world.allReduce(seconds(round, PROBES) / PROBES, Op.MAX);
    int rounds = (int) Math.max(PROBES, Math.min(MOST_ROUNDS, TURN_SECONDS / probe));
    return seconds(round, rounds) / rounds;
  }

  private double seconds(Runnable round, int rounds) {
    world.barrier();
    long start = System.nanoTime();
    for (int i = 0; i < rounds; i++) {
      round.run();
    }
    return (System.nanoTime() - start) / 1e9;
  }

  private void store() {
    stored.send(buf, world.rank(), TAG);
  }

  private void pingPong() {
    if (world.rank() == 0) {
      world.send(buf, 1, TAG);
      world.recv(buf, 1, TAG);
    } else if (world.rank() == 1) {
      world.recv(buf, 0, TAG);
      world.send(buf, 0, TAG);
    }
  }
}
