// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.network;

import org.kintsugi.launch.spec.JobSpec;
import picocli.CommandLine.Option;

/** The options of {@code jmpirun} about the network. */
public final class NetworkOptions {
  @Option(names = "--network", paramLabel = "ROUTE", defaultValue = JobSpec.ANY_NETWORK,
      description = "over what messages between hosts travel: tcp; ofi[:PROVIDER], libfabric; ucx[:DEVICE]; auto, the default: "
          + "the quickest that kintsugi doctor --network has found to survive failures here, else tcp")
  private String network;

  @Option(names = "--no-fault-tolerance",
      description = "start the job without fault tolerance: Open MPI takes its quickest transports, and the failure of a process "
          + "ends the job")
  private boolean isFaultToleranceOff;

  /** Whether the failure of a process ends the job. */
  public boolean isFaultToleranceOff() {
    return isFaultToleranceOff;
  }

  /** Passes on what the job needs to know. */
  public void addTo(JobSpec job) {
    job.network(network).faultTolerance(!isFaultToleranceOff);
  }
}
