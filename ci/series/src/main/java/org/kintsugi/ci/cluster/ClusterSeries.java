// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.cluster;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.runtime.SetupException;
import org.kintsugi.test.cluster.Cluster;

/**
 * A command that loses nodes of a simulated cluster. Where there can be none, or the MPI does not outlive that, its code is
 * {@link #SKIPPED}: a failure, too, as the command was asked for by name.
 */
public abstract class ClusterSeries implements Callable<Integer> {
  /** The code of a command that could not try what it is for. */
  public static final int SKIPPED = 77;

  @Override
  public final Integer call() throws IOException, InterruptedException {
    try {
      MpiHome mpi = MpiHome.find(null, flavour(), System.getenv());
      if (!new HpccgJob(mpi).isNodeLossSurvivable()) {
        System.out.println("skipped: only the Open MPI that make setup builds outlives the loss of a node");
        return SKIPPED;
      }
      return run(mpi) ? 0 : 1;
    } catch (Cluster.UnavailableException e) {
      System.out.println("skipped: " + e.getMessage());
      return SKIPPED;
    } catch (SetupException e) {
      System.err.println(e.getMessage());
      return 1;
    }
  }

  /** The MPI that it is for. */
  protected abstract Flavour flavour();

  /** Whether all went well. */
  protected abstract boolean run(MpiHome mpi) throws IOException, InterruptedException;
}
