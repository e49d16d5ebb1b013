// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.slurm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.kintsugi.launch.internal.doctor.NetworkExamination;
import org.kintsugi.launch.internal.network.TestedRoutes;
import org.kintsugi.runtime.MpiHome;

/**
 * {@code kintsugi doctor --network}, as a site runs it in a job of its batch system. What it finds is for the jobs of this folder
 * only, not for those of this machine.
 */
final class NetworkDoctor {
  private NetworkDoctor() {}

  /**
   * Prints the findings.
   *
   * @param args jmpirun, the prefix of the Open MPI, and the routes
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    MpiHome mpi = MpiHome.find(Path.of(args[1]), null, System.getenv());
    Map<String, String> environment = new HashMap<>(System.getenv());
    environment.put("XDG_DATA_HOME", Path.of("").toAbsolutePath().toString());
    Path own = TestedRoutes.ofUser(mpi, environment).path();
    Files.createDirectories(own.getParent());
    Files.createFile(own);
    new NetworkExamination(mpi, Path.of(args[0]), System.getProperty("java.class.path"), environment, null)
        .examine(List.of(args).subList(2, args.length), System.out::println);
  }
}
