// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.growth;

/**
 * Processors and network of a {@link Simulation}. Times are nanoseconds.
 *
 * @param cores that all processes share; 0: each process has its own
 * @param pollNanos a turn of a process that has nothing to do, until its core has the next one
 * @param perNode processes on each node
 * @param nearNanos the latency of a message within a node
 * @param farNanos the latency between nodes
 * @param overheadNanos processor time of a message for its sender, and for its receiver
 * @param perByteNanos the time of a byte between two processes, when all processes of a node send at once
 */
public record Machine(int cores, double pollNanos, int perNode, double nearNanos, double farNanos, double overheadNanos,
    double perByteNanos) {

  /** The machine of the measurements: cores are shared, and all is on one node. */
  static Machine shared(int cores, double pollNanos, double overheadNanos) {
    return new Machine(cores, pollNanos, Integer.MAX_VALUE, 300, 300, overheadNanos, 0.2);
  }

  /**
   * The machine of "Plan B" (Bosilca et al., EuroMPI 2015): 16 cores on each node, 8 GB/s between nodes. Five barriers of 6,000
   * processes, of 13 rounds each, take 700 microseconds there, with the rest of a revocation: 10.8 a round. A near message, and
   * the split of a round into latency and overhead, are not in the paper.
   */
  static Machine ofThePaper() {
    return new Machine(0, 0, 16, 1000, 8800, 1000, 16 / 8.0);
  }

  /** An ideal network for tests: a latency, and nothing else. */
  static Machine ideal(double latencyNanos) {
    return new Machine(0, 0, Integer.MAX_VALUE, latencyNanos, latencyNanos, 0, 0);
  }

  double latency(int one, int other) {
    return one / perNode == other / perNode ? nearNanos : farNanos;
  }
}
