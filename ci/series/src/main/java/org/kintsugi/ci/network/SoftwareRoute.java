// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.network;

import java.util.List;
import org.kintsugi.runtime.MpiHome;

/** The routes that work without hardware for them. Processes of one host take them, too, and not the memory that they share. */
public enum SoftwareRoute {
  /** Sockets, by Open MPI itself. */
  TCP("tcp", null, "self,tcp"),
  /** Libfabric over sockets. */
  OFI_NET("ofi:net", "btl_ofi", "self,ofi"),
  /** UCX over sockets. */
  UCX_TCP("ucx:tcp", "btl_uct", "self,uct"),
  /** UCX in shared memory. */
  UCX_POSIX("ucx:posix", "btl_uct", "self,uct");

  private final String network;
  private final String plugin;
  private final String btl;

  SoftwareRoute(String network, String plugin, String btl) {
    this.network = network;
    this.plugin = plugin;
    this.btl = btl;
  }

  /** Its name for {@code jmpirun --network}. */
  public String network() {
    return network;
  }

  /** Options of mpirun. */
  public List<String> options() {
    return List.of("--mca", "btl", btl);
  }

  /** Whether an Open MPI has it. */
  public boolean isIn(MpiHome mpi) {
    return plugin == null || mpi.isPatched() && mpi.hasPlugin(plugin);
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
