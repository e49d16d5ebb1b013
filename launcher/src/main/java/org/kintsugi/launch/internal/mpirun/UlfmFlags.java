// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.mpirun;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.kintsugi.launch.internal.commandline.Hosts;
import org.kintsugi.launch.internal.commandline.MpirunLine;
import org.kintsugi.launch.internal.host.JobFolders;
import org.kintsugi.launch.internal.network.Route;
import org.kintsugi.launch.spec.JobSpec;
import org.kintsugi.launch.spec.LaunchException;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.runtime.internal.McaFiles;

/**
 * The options of mpirun for Open MPI 5 with ULFM only; {@link MpirunCommand} adds those of every flavour: mapping, binding,
 * environment. They switch ULFM on and let {@code MPI_Init} return errors; keep {@code MPI_Finalize}, collectives and shared
 * memory usable after a failure; report failures early; detect silent nodes; put mpirun's files where the launcher removes
 * them; and let the job survive the loss of other hosts' daemons. The comment of each option says what goes wrong without it.
 */
record UlfmFlags(MpiHome mpi, JobSpec job, Hosts hosts, JobFolders folders, Route route) implements FlavourFlags {
  /** The number of daemons that connect to mpirun directly: the default of rml_base_radix. */
  private static final int FLAT_TREE = 64;

  @Override
  public void check(Path natives) {
    if (job.isFaultTolerant()) {
      route.requireSurvival();
    } else if (job.spares() > 0) {
      throw new LaunchException(
          "--spares " + job.spares() + " with --no-fault-tolerance: nothing replaces a failed process then: "
              + "leave one of the options out");
    }
    if (job.spareNodes() > 0) {
      throw new LaunchException(
          "--spare-nodes " + job.spareNodes() + ": " + mpi.prefix() + " is of the flavour ulfm, where spares "
              + "are processes: say --spares with as many as a node has ranks, or use the Reinit++ fork (--flavour reinit)");
    }
  }

  /**
   * Refuses message layers that do not survive.
   *
   * @throws LaunchException with the reason
   */
  private void requireSurvivingLayer(MpirunLine line) {
    String layer = line.value("pml").orElse("ob1");
    if (!layer.startsWith("^") && !layer.equals("ob1")) {
      throw new LaunchException("--mca pml " + layer + ": under fault tolerance MPI_Init crashes with it, as agreement and "
          + "revocation send their messages by the transports of pml ob1: leave it out (--network ucx or ofi take UCX or "
          + "libfabric below ob1), or run without fault tolerance (--no-fault-tolerance)");
    }
    String transport = line.value("mtl").orElse("^");
    if (!transport.startsWith("^")) {
      throw new LaunchException(
          "--mca mtl " + transport + ": MTLs know nothing of failed processes, and fault tolerance switches "
              + "them off: leave it out (--network ofi takes libfabric in another way), or run without fault tolerance "
              + "(--no-fault-tolerance)");
    }
  }

  @Override
  public int processes() {
    return job.ranks() + job.spares();
  }

  @Override
  public void addTo(MpirunLine line, Path natives) {
    if (!job.network().equals(JobSpec.ANY_NETWORK)) {
      route.requireNotExcluded(line);
    }
    if (job.isFaultTolerant()) {
      requireSurvivingLayer(line);
      Route.requireSurvival(line);
      addFaultTolerance(line);
      // The command line would win over the user's file.
      if (!route.equals(Route.TCP) || !McaFiles.isSet("btl", line.environment(), mpi.prefix())) {
        route.addTo(line);
      }
    } else if (!job.network().equals(JobSpec.ANY_NETWORK)) {
      route.addTo(line);
    }
    // An Open MPI without zlib prints ten lines on that at the start of each job. It only
    // compresses less.
    line.mca("--pmixmca", "pcompress_base_silence_warning", "1");
    addSession(line);
    if (hosts.areOthersToo()) {
      reachOtherHosts(line);
    } else if (folders != null) {
      // A killed rank does not remove its segment: put it where the launcher can. The folder exists
      // on this host only.
      line.mca("--mca", "btl_sm_backing_directory", folders.sharedMemory().toString());
    }
  }

  private static void addFaultTolerance(MpirunLine line) {
    if (!line.has("--with-ft")) {
      // Without this option the functions of ULFM do nothing, without an error.
      line.add("--with-ft", "ulfm");
    }
    if (!line.has("--initial-errhandler")) {
      // A failed MPI_Init returns an error to the program. By default it aborts the job, which
      // could be started again.
      line.add("--initial-errhandler", "mpi_errors_return");
    }
    // Otherwise MPI_Finalize waits for failed processes in a fence (open-mpi/ompi#11404).
    line.mca("--mca", "async_mpi_finalize", "1");
    // han and adapt return wrong sums on survivors of a node loss; the others are not adapted to ULFM either.
    line.mca("--mca", "coll", "^hcoll,portals4,han,adapt");
    // Plugins for one-sided communication are loaded in each job, this one with all of UCX.
    line.mca("--mca", "osc", "^ucx");
    // The interval at which reports of failures are handled (microseconds). The default is 10 ms.
    line.mca("--mca", "mpi_event_tick_rate", "500");
    // For an Open MPI without our patches: fragments that a failed process has not read never
    // return to their sender. By default a sender has 512 fragments, and hangs when all are lost.
    // Without this limit, the segment's size is one (known-issues.md).
    line.mca("--mca", "btl_sm_free_list_max", "-1");
    // Processes that a job spawns are a job of their own to the launcher, and not under --with-ft:
    // a failure in it, recovered or not, would make the exit code 137 (policy SPAWN).
    line.mca("--prtemca", "state_base_recoverable", "1");
    // Only these options detect a node that falls silent.
    line.mca("--prtemca", "oob_tcp_keepalive_time", "1");
    line.mca("--prtemca", "oob_tcp_keepalive_intvl", "1");
    line.mca("--prtemca", "oob_tcp_keepalive_probes", "2");
  }

  /**
   * Puts mpirun's session folder where the launcher removes it in every case.
   *
   * <p>TMPDIR is not changed: it is for the user and the ranks.
   */
  private void addSession(MpirunLine line) {
    if (folders != null && !line.isSet("prte_tmpdir_base")) {
      // For this host only: the daemons of other hosts remove their own folders.
      line.mca("--prtemca", "prte_local_tmpdir_base", folders.session().toString());
    }
  }

  private void reachOtherHosts(MpirunLine line) {
    // With this option the launcher's daemons detach from ssh. When the node of an attached daemon
    // dies, its ssh ends with an error. The launcher may take that for a failed start and end the
    // job.
    line.mca("--prtemca", "plm_ssh_no_tree_spawn", "1");
    if (hosts.count() > FLAT_TREE) {
      // The job would not survive the loss of a daemon to which other daemons connect.
      line.mca("--prtemca", "rml_base_radix", String.valueOf(hosts.count()));
    }
  }

  @Override
  public Map<String, String> environment(Path natives, Map<String, String> given) {
    return FlavourFlags.isRoot()
        ? Map.of("OMPI_ALLOW_RUN_AS_ROOT", "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
        : Map.of();
  }

  @Override
  public List<String> starter(Path natives, MpirunLine line) {
    return List.of();
  }
}
