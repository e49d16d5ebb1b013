// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The command line of mpirun for a job, and the environment it needs: exactly the flags that were shown to be needed, each
 * with its reason here. What the user gave is never overridden.
 */
public final class MpirunCommand {
  /** Up to so many daemons all hang on mpirun itself: the default of rml_base_radix. */
  private static final int FLAT_TREE = 64;
  private static final String[] MAPPINGS = {"--map-by", "-map-by", "--rankfile", "-rankfile", "--rf", "-rf", "--ppr",
      "--npernode", "-npernode", "-N", "--N", "--bynode", "-bynode", "--byslot", "-byslot"};

  /** The first Java with these options, and soon after with the warnings that they are for. */
  private static final int FIRST_TO_WARN = 23;

  private final JobSpec job;
  private final MpiHome mpi;
  private final JobFolders folders;
  private final int cores;
  private final Map<String, String> given;
  private final Hosts hosts;

  /** For a job under an MPI, on a host with so many cores. */
  public MpirunCommand(JobSpec job, MpiHome mpi, JobFolders folders, int cores) {
    this(job, mpi, folders, cores, System.getenv());
  }

  MpirunCommand(JobSpec job, MpiHome mpi, JobFolders folders, int cores, Map<String, String> environment) {
    this.job = job;
    this.mpi = mpi;
    this.folders = folders;
    this.cores = cores;
    this.given = environment;
    this.hosts = Hosts.of(job.mpirunOptions(), environment);
    if (mpi.flavour() != MpiHome.Flavour.ULFM) {
      throw new LaunchException(mpi.prefix() + " is the Reinit++ fork of Open MPI, which jmpirun cannot start yet: "
          + "use an Open MPI with ULFM (--mpi PREFIX)");
    }
    if (!hosts.areOthersToo()) {
      for (String kill : job.kills()) {
        if (kill.startsWith("node:")) {
          throw new LaunchException("--kill " + kill + ": all ranks are on this host, on which mpirun runs, and no job outlives "
              + "that one: name other hosts (--host, --hostfile), or kill a process");
        }
      }
    }
  }

  /** Environment variables that mpirun must see on top of its own. */
  public Map<String, String> environment() {
    Map<String, String> environment = new TreeMap<>();
    if ("root".equals(System.getProperty("user.name"))) {
      environment.put("OMPI_ALLOW_RUN_AS_ROOT", "1");
      environment.put("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    }
    environment.put(JobFolders.MARK, folders.session().toString());
    // Session folders of the launcher: here, where they can be removed whatever happens.
    environment.put("TMPDIR", folders.session().toString());
    return environment;
  }

  /** Whether all ranks run on the host on which mpirun does. */
  boolean isOnThisHostOnly() {
    return !hosts.areOthersToo();
  }

  /** The whole command line. */
  public List<String> arguments() {
    List<String> line = new ArrayList<>();
    line.add(mpi.mpirun().toString());
    if (!job.mpirunOptions().contains("--with-ft")) {
      // Without it the calls of ULFM are silent dummies.
      line.addAll(List.of("--with-ft", "ulfm"));
    }
    if (!job.mpirunOptions().contains("--initial-errhandler")) {
      // An MPI_Init that fails says so to the program, which knows better than to abort what may be started again.
      line.addAll(List.of("--initial-errhandler", "mpi_errors_return"));
    }
    // MPI_Finalize waits for the dead in one fence otherwise (open-mpi/ompi#11404).
    mca(line, "--mca", "async_mpi_finalize", "1");
    // han and adapt return wrong sums on survivors of a node loss; the others are not adapted to ULFM either.
    mca(line, "--mca", "coll", "^hcoll,portals4,han,adapt");
    // What the launcher tells of deaths is looked at that often (microseconds); the default is every 10 ms.
    mca(line, "--mca", "mpi_event_tick_rate", "500");
    // A node that falls silent is noticed by these only.
    mca(line, "--prtemca", "oob_tcp_keepalive_time", "1");
    mca(line, "--prtemca", "oob_tcp_keepalive_intvl", "1");
    mca(line, "--prtemca", "oob_tcp_keepalive_probes", "2");
    if (hosts.areOthersToo()) {
      reachOtherHosts(line);
    } else {
      // A killed rank leaves its segment behind: here, where it can be removed. The folder exists on this host only.
      mca(line, "--mca", "btl_sm_backing_directory", folders.sharedMemory().toString());
    }
    if (hosts.isKnown()) {
      share(line);
    }
    line.addAll(job.mpirunOptions());
    line.addAll(List.of("-n", String.valueOf(job.processes())));
    // By its full path: PRRTE edits the arguments of a program that is called "java", and takes any argument with "cp"
    // in it for a class path.
    line.add(job.java().toString());
    line.addAll(jvmOptions());
    line.addAll(job.javaArguments());
    return line;
  }

  private void reachOtherHosts(List<String> line) {
    // Only then do the launcher's daemons detach from ssh. One that is still attached when its node dies ends with an error,
    // and the launcher may take that for a failed start and end the job.
    mca(line, "--prtemca", "plm_ssh_no_tree_spawn", "1");
    if (hosts.count() > FLAT_TREE) {
      // A daemon that other daemons hang on cannot be lost.
      mca(line, "--prtemca", "rml_base_radix", String.valueOf(hosts.count()));
    }
  }

  /** What is needed where processes have to share slots or cores. */
  private void share(List<String> line) {
    if (job.processes() > hosts.slots(cores)) {
      if (!has("--oversubscribe", "--nooversubscribe")) {
        line.add("--oversubscribe");
      }
      if (hosts.count() > 1 && !has(MAPPINGS) && !isSet("rmaps_default_mapping_policy")) {
        // mpirun's own way of oversubscribing puts all processes on the first host, and nothing outlives its loss.
        line.addAll(List.of("--map-by", "slot"));
      }
    }
    if (hosts.mostOnOne(job.processes(), cores) > cores) {
      // Ranks that wait must let those work that share their core.
      mca(line, "--mca", "mpi_yield_when_idle", "1");
    }
  }

  private boolean has(String... options) {
    return job.mpirunOptions().stream().map(option -> option.split("=", 2)[0]).anyMatch(List.of(options)::contains);
  }

  private boolean isSet(String name) {
    return job.mpirunOptions().contains(name) || given.containsKey("OMPI_MCA_" + name) || given.containsKey("PRTE_MCA_" + name);
  }

  private void mca(List<String> line, String option, String name, String value) {
    if (!isSet(name)) {
      line.addAll(List.of(option, name, value));
    }
  }

  private List<String> jvmOptions() {
    List<String> options = new ArrayList<>();
    List<String> given = job.javaArguments();
    // A quick start matters: it is what a respawned rank costs. Perf data would stay behind in /tmp after a SIGKILL.
    options.addAll(List.of("-XX:-UsePerfData", "-Xshare:auto"));
    if (given.stream().noneMatch(option -> option.matches("-XX:\\+Use\\w+GC"))) {
      options.add("-XX:+UseSerialGC");
    }
    if (JavaVersion.feature(job.java()) >= FIRST_TO_WARN) {
      options.addAll(List.of("--sun-misc-unsafe-memory-access=allow", "--enable-native-access=ALL-UNNAMED"));
    }
    Path natives = NativeLibraries.unpacked(given);
    if (natives != null) {
      options.add("-Dkintsugi.library.path=" + natives);
      options.add("-Dorg.bytedeco.javacpp.pathsFirst=true");
    }
    options.add("-Dkintsugi.flavour=ulfm");
    options.add("-Dkintsugi.spares=" + job.spares());
    if (!job.kills().isEmpty()) {
      options.add("-Dkintsugi.kill=" + String.join(";", job.kills()));
    }
    if (job.restarts() > 0) {
      options.add("-Dkintsugi.restarts=" + job.restarts());
    }
    if (!hosts.areOthersToo()) {
      options.add(folders.option());
    }
    return options;
  }
}
