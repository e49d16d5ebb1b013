// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.network;

import org.kintsugi.launch.internal.network.Route;
import org.kintsugi.launch.spec.LaunchException;
import org.kintsugi.test.RankJob;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The option of a series about the network of its jobs. */
public final class RouteOption {
  @Option(names = "--route", paramLabel = "ROUTE", converter = FromText.class,
      description = "network for all messages, also within a host: tcp, ofi:PROVIDER, ucx:DEVICE; else shared memory")
  private Route route;

  /** Reads a route. */
  static final class FromText implements ITypeConverter<Route> {
    @Override
    public Route convert(String text) {
      try {
        return Route.of(text);
      } catch (LaunchException e) {
        throw new TypeConversionException("'" + text + "': expected tcp, ofi:PROVIDER or ucx:DEVICE");
      }
    }
  }

  /** Has a job take the route. */
  public RankJob addTo(RankJob job) {
    return route == null ? job : add(route, job);
  }

  static RankJob add(Route route, RankJob job) {
    return job.network(route.toString()).mpirun(route.withinAHost().toArray(new String[0]));
  }
}
