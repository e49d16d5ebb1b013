// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.scr.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.kintsugi.checkpoint.CheckpointConfig;
import org.kintsugi.checkpoint.engine.CheckpointException;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.internal.collective.FailureExchange;
import org.kintsugi.mpi.internal.collective.Partners;
import org.kintsugi.mpi.internal.files.OwnerOnly;

/** The ranks' nodes as SCR sees them: a node is a host name, and has folders of its own. */
final class ScrHosts {
  private ScrHosts() {}

  /** The number of each rank's node, in the order of ranks. Collective. */
  static int[] nodes(Comm world, ScrConfig config) {
    String host;
    try {
      host = Files.readString(Path.of("/proc/sys/kernel/hostname")).trim();
    } catch (IOException e) {
      throw new IllegalStateException("cannot read the name of this host", e);
    }
    long[] hosts = Partners.nodes(world, host);
    long[] known = Arrays.stream(hosts).distinct().toArray();
    int[] nodes = new int[hosts.length];
    for (int rank = 0; rank < nodes.length; rank++) {
      while (known[nodes[rank]] != hosts[rank]) {
        nodes[rank]++;
      }
    }
    requireOwnFolders(world, config, known.length, nodes);
    return nodes;
  }

  /** SCR treats the cache as the node's own; if nodes share it, SCR's restart fails. */
  private static void requireOwnFolders(Comm world, ScrConfig config, int count, int... nodes) {
    CheckpointException trouble = null;
    // A new name each time: a mark that a killed process has left must not count.
    String mark = "kintsugi-node-" + Long.toHexString(world.allReduce(world.rank() == 0 ? System.nanoTime() : 0L, Op.MAX)) + "-";
    Path mine = config.cache().resolve(mark + nodes[world.rank()]);
    try {
      OwnerOnly.makeFolder(config.cache());
      OwnerOnly.makeFolder(config.control());
      Files.write(mine, new byte[0]);
    } catch (IOException e) {
      trouble = new CheckpointException("rank " + world.rank() + " cannot use SCR's folders " + config.cache() + " and "
          + config.control() + ": " + e, e);
    }
    FailureExchange.refuse(world, trouble, CheckpointException::new);
    for (int node = 0; node < count; node++) {
      if (node != nodes[world.rank()] && Files.exists(config.cache().resolve(mark + node))) {
        trouble = new CheckpointException("rank " + world.rank() + " sees another node's mark in " + config.cache()
            + ", which is one folder for several nodes, and SCR needs a folder of each node's own under that name: set -D"
            + CheckpointConfig.LOCAL_DIR.property());
      }
    }
    FailureExchange.refuse(world, trouble, CheckpointException::new);
    mine.toFile().delete();
  }
}
