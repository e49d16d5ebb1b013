// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.network;

import java.util.List;
import org.kintsugi.launch.internal.network.Route;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.test.RankJob;

/** The routes that work without hardware for them. Processes of one host take them, too, and not the memory that they share. */
public enum SoftwareRoute {
  /** Sockets, by Open MPI itself. */
  TCP("tcp"),
  /** Libfabric over sockets. */
  OFI_NET("ofi:net"),
  /** UCX over sockets. */
  UCX_TCP("ucx:tcp"),
  /** UCX in shared memory; only for jobs without fault tolerance ({@link Route#requireSurvival()}). */
  UCX_POSIX("ucx:posix");

  private final String network;

  SoftwareRoute(String network) {
    this.network = network;
  }

  /** Its name for {@code jmpirun --network}. */
  public String network() {
    return network;
  }

  /** Options of mpirun. */
  public List<String> options() {
    return Route.of(network).withinAHost();
  }

  /** Has a job take it. */
  public RankJob addTo(RankJob job) {
    return RouteOption.add(Route.of(network), job);
  }

  /** Whether jobs on it survive failures. */
  public boolean doesSurvive() {
    return Route.of(network).doesSurvive();
  }

  /** Whether an Open MPI has it. */
  public boolean isIn(MpiHome mpi) {
    return Route.of(network).canBeTaken(mpi);
  }

  /** Why an Open MPI may not have it. */
  public String whyNot() {
    return "the Open MPI of this machine has no " + network
        + ": install libucx-dev and libfabric-dev, then make setup NETWORK=auto";
  }

  @Override
  public String toString() {
    return network;
  }
}
