// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.cluster.Cluster;

/**
 * Nodes that are network namespaces of this machine, one of which may fail. Each job has nodes of its own, one more than its
 * ranks need: a node that failed does not come back. Their clocks are the same.
 */
final class SimulatedHosts implements JobHosts {
  private final Cluster cluster;

  private SimulatedHosts(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Why there are none here; null: there are. */
  static String refusal() {
    try {
      of(1, 1).close();
      return null;
    } catch (Cluster.UnavailableException e) {
      return e.getMessage();
    } catch (NoClassDefFoundError installation) {
      return "simulated nodes come with the checkout of Kintsugi, not with an installation";
    }
  }

  static SimulatedHosts of(int ranks, int ranksPerNode) {
    int[] slots = new int[ranks / ranksPerNode + 1];
    Arrays.fill(slots, ranksPerNode);
    return new SimulatedHosts(Cluster.of(slots));
  }

  @Override
  public List<String> options(Flavour flavour) {
    return cluster.options(flavour);
  }

  @Override
  public Process start(List<String> command, Path output, long limitSeconds) throws IOException {
    return cluster.start(limitSeconds, output, command);
  }

  @Override
  public void close() {
    cluster.close();
  }
}
