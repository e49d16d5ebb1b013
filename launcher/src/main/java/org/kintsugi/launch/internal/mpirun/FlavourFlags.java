// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.mpirun;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.kintsugi.launch.internal.commandline.Hosts;
import org.kintsugi.launch.internal.commandline.MpirunLine;
import org.kintsugi.launch.internal.host.JobFolders;
import org.kintsugi.launch.internal.network.Route;
import org.kintsugi.launch.internal.network.TestedRoutes;
import org.kintsugi.launch.spec.JobSpec;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;

/** The options of mpirun that a flavour of MPI needs, and their reasons. */
public interface FlavourFlags {
  /** The options for a job; without folders of its own if they are null. */
  static FlavourFlags of(MpiHome mpi, JobSpec job, Hosts hosts, JobFolders folders, Map<String, String> environment) {
    Route route = route(mpi, job, environment);
    route.check(mpi);
    return mpi.flavour() == Flavour.ULFM
        ? new UlfmFlags(mpi, job, hosts, folders, route)
        : new ReinitFlags(job, hosts, folders);
  }

  /** Over what the messages of a job travel between hosts. */
  static Route route(MpiHome mpi, JobSpec job, Map<String, String> environment) {
    if (!job.network().equals(JobSpec.ANY_NETWORK)) {
      return Route.of(job.network());
    }
    Route tested = TestedRoutes.quickest(mpi, environment);
    return tested == null ? Route.TCP : tested;
  }

  /** Whether mpirun will ask for a confirmation. */
  static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  /**
   * Looks at what the user wants before anything starts.
   *
   * @param natives the folder of the natives, or null
   * @throws LaunchException if this flavour cannot do it
   */
  void check(Path natives);

  /** How many processes mpirun is to start. */
  int processes();

  /** How the names of environment variables begin that set parameters of this mpirun. */
  static Set<String> prefixes(MpiHome mpi) {
    return mpi.flavour() == Flavour.ULFM ? Set.of("OMPI_MCA_", "PRTE_MCA_") : Set.of("OMPI_MCA_");
  }

  /**
   * The flags, in front of those for sharing slots and cores and of the user's.
   *
   * @param natives the folder of the natives, or null
   */
  void addTo(MpirunLine line, Path natives);

  /**
   * Environment variables for mpirun.
   *
   * @param natives the folder of the natives, or null
   * @param given the environment of this process
   */
  Map<String, String> environment(Path natives, Map<String, String> given);

  /**
   * The program that starts the Java of a rank.
   *
   * @param natives the folder of the natives, or null
   * @param line has the user's own options
   */
  List<String> starter(Path natives, MpirunLine line);
}
