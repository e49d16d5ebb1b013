// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.network;

import org.kintsugi.launch.internal.network.Route;
import org.kintsugi.test.RankJob;
import picocli.CommandLine.Option;

/** The option of a series about the network of its jobs. */
public final class RouteOption {
  @Option(names = "--route", paramLabel = "ROUTE",
      description = "over what processes reach each other, those of one host, too: tcp, ofi:PROVIDER, ucx:DEVICE "
          + "(else over shared memory)")
  private String route;

  /** Has a job take the route. */
  public RankJob addTo(RankJob job) {
    return route == null ? job : job.network(route).mpirun(Route.of(route).withinAHost().toArray(new String[0]));
  }
}
