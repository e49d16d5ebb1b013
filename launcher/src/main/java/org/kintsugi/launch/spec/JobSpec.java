// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.spec;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.kintsugi.runtime.KillSpec;

/** The specification of a job: how many ranks, which program, which faults. Every setter returns this object. */
public final class JobSpec {
  /** The network that the launcher chooses. */
  public static final String ANY_NETWORK = "auto";

  private int ranks;
  private int spares;
  private int spareNodes;
  private int restarts;
  private Path proofFolder;
  private long proofUntil = Long.MAX_VALUE;
  private String javaAgent = "";
  private int maxRespawns = 100;
  private String launcherAddress = "";
  private boolean isChecked;
  private Boolean isRefilled; // null: not said
  private Path record; // null: the job is not recorded
  private long recordCallsMicros = 1000;
  private boolean isClassArchiveWanted = true;
  private String network = ANY_NETWORK;
  private boolean isFaultTolerant = true;
  private final List<KillSpec> kills = new ArrayList<>();
  private final List<String> mpirunOptions = new ArrayList<>();
  private final List<String> javaArguments = new ArrayList<>();
  private Path java = Path.of(System.getProperty("java.home"), "bin", "java");

  /** Nothing is set yet but defaults. */
  public JobSpec() {}

  /**
   * Sets the number of ranks of the program's world, without spares.
   *
   * @param ranks 1 or more
   * @return this object
   * @throws LaunchException if there are none
   */
  public JobSpec ranks(int ranks) {
    if (ranks <= 0) {
      throw new LaunchException("-n " + ranks + ": a job needs at least one rank");
    }
    this.ranks = ranks;
    return this;
  }

  /**
   * Sets the number of spares, which wait to replace failed processes.
   *
   * @param spares zero or more
   * @return this object
   * @throws LaunchException if the number is negative
   */
  public JobSpec spares(int spares) {
    if (spares < 0) {
      throw new LaunchException("--spares " + spares + ": expected zero or more");
    }
    this.spares = spares;
    return this;
  }

  /**
   * Sets whether new processes replace failed ones while the job runs.
   *
   * <p>The default is true if all processes are on this host, or on named hosts without a resource
   * manager, and if the Open MPI is the one that Kintsugi builds.
   *
   * @param refilled false: spares run out
   * @return this object
   */
  public JobSpec refill(boolean refilled) {
    isRefilled = refilled;
    return this;
  }

  /**
   * Sets the number of given hosts that stay empty until a node is lost.
   *
   * @param nodes zero or more
   * @return this object
   * @throws LaunchException if the number is negative
   */
  public JobSpec spareNodes(int nodes) {
    if (nodes < 0) {
      throw new LaunchException("--spare-nodes " + nodes + ": expected zero or more");
    }
    spareNodes = nodes;
    return this;
  }

  /**
   * Sets the largest number of respawns (Reinit++ fork); more of them end the job.
   *
   * <p>The runtime itself has no limit.
   *
   * @param respawns zero or more; 100 by default
   * @return this object
   * @throws LaunchException if the number is negative
   */
  public JobSpec maxRespawns(int respawns) {
    if (respawns < 0) {
      throw new LaunchException("--max-respawns " + respawns + ": expected zero or more");
    }
    maxRespawns = respawns;
    return this;
  }

  /**
   * A fault to inject; see {@link KillSpec}.
   *
   * @param specification such as {@code process:2@60}
   * @return this object
   * @throws LaunchException if it is malformed, or names a rank that the job does not have
   */
  public JobSpec kill(String specification) {
    try {
      KillSpec kill = KillSpec.parse(specification);
      if (ranks > 0) {
        kill.in(ranks);
      }
      kills.add(kill);
    } catch (IllegalArgumentException e) {
      throw new LaunchException("--kill " + e.getMessage(), e);
    }
    return this;
  }

  /**
   * Rejects kills that would never strike.
   *
   * @param starts how often the job is started at most
   * @throws LaunchException if a kill is for a later start
   */
  public void requireStartsOfKills(int starts) {
    for (KillSpec kill : kills) {
      if (kill.start() > starts) {
        throw new LaunchException("--kill " + kill + ": this job is started " + (starts == 1 ? "once" : "at most " + starts
            + " times") + ": --restart=" + (kill.start() - 1) + " starts it again after a failure");
      }
    }
  }

  /**
   * Has each process write down what it saves, for a proof that the program survives failures.
   *
   * @param folder that all hosts see; null: it does not
   * @param until the last iteration, after which the program's run ends
   * @return this
   */
  public JobSpec proof(Path folder, long until) {
    proofFolder = folder;
    proofUntil = until;
    return this;
  }

  /**
   * Has each process begin with an agent.
   *
   * @param option of the JVM, {@code -javaagent:JAR=OPTIONS}; empty, the default: none
   * @return this object
   */
  public JobSpec javaAgent(String option) {
    javaAgent = option;
    return this;
  }

  /**
   * Sets the number of earlier starts of the job.
   *
   * @param restarts zero at the first start
   * @return this object
   */
  public JobSpec restarts(int restarts) {
    this.restarts = restarts;
    return this;
  }

  /**
   * Options handed to mpirun as they are.
   *
   * @param options added to those that there are
   * @return this object
   */
  public JobSpec mpirunOptions(List<String> options) {
    mpirunOptions.addAll(options);
    return this;
  }

  /**
   * Adds words that follow {@code java}: JVM options, the class path, the main class, its arguments.
   *
   * @param arguments added to those that there are
   * @return this object
   */
  public JobSpec javaArguments(List<String> arguments) {
    javaArguments.addAll(arguments);
    return this;
  }

  /**
   * The java to start; by default the one that runs the launcher.
   *
   * @param java the program
   * @return this object
   */
  public JobSpec java(Path java) {
    this.java = java;
    return this;
  }

  /**
   * Sets whether the launcher compares the calls of each communicator's ranks.
   *
   * @param check false, the default: it does not
   * @return this object
   */
  public JobSpec check(boolean check) {
    isChecked = check;
    return this;
  }

  /**
   * Whether the ranks take Kintsugi's classes from an archive, which is made once; see docs/launching.md.
   *
   * @param wanted true, the default, unless a JVM option names another archive
   * @return this object
   */
  public JobSpec classArchive(boolean wanted) {
    isClassArchiveWanted = wanted;
    return this;
  }

  /**
   * Sets over what messages between hosts travel.
   *
   * @param route {@code tcp}, {@code ofi[:PROVIDER]}, {@code ucx[:DEVICE]}, or {@link #ANY_NETWORK}
   * @return this object
   */
  public JobSpec network(String route) {
    network = route;
    return this;
  }

  /**
   * Sets whether the job outlives the failure of a process.
   *
   * @param tolerant true, the default
   * @return this object
   */
  public JobSpec faultTolerance(boolean tolerant) {
    isFaultTolerant = tolerant;
    return this;
  }

  /**
   * Over what messages between hosts travel.
   *
   * @return see {@link #network(String)}
   */
  public String network() {
    return network;
  }

  /**
   * Whether the job outlives the failure of a process.
   *
   * @return see {@link #faultTolerance}
   */
  public boolean isFaultTolerant() {
    return isFaultTolerant;
  }

  /**
   * Has all processes of the job record what they do, for {@code kintsugi timeline}.
   *
   * @param folder that is made, or is empty; with several hosts, on a file system that they share
   * @return this object
   */
  public JobSpec record(Path folder) {
    record = folder;
    return this;
  }

  /**
   * Sets from which duration on a call of MPI is an event of its own in a recording.
   *
   * @param micros zero or more; 1000 by default
   * @return this object
   * @throws LaunchException if the duration is negative
   */
  public JobSpec recordCallsMicros(long micros) {
    if (micros < 0) {
      throw new LaunchException("--record-calls " + micros + "us: expected a duration of zero or more");
    }
    recordCallsMicros = micros;
    return this;
  }

  /**
   * The folder of the recording.
   *
   * @return null: the job is not recorded
   */
  public Path record() {
    return record;
  }

  /**
   * The duration from which on calls of MPI are events of their own.
   *
   * @return see {@link #recordCallsMicros(long)}
   */
  public long recordCallsMicros() {
    return recordCallsMicros;
  }

  /**
   * Whether the ranks take classes from an archive.
   *
   * @return see {@link #classArchive}
   */
  public boolean isClassArchiveWanted() {
    return isClassArchiveWanted;
  }

  /**
   * Whether the calls of the ranks are compared.
   *
   * @return see {@link #check}
   */
  public boolean isChecked() {
    return isChecked;
  }

  /**
   * Whether new processes replace failed ones while the job runs.
   *
   * @param byDefault where the user has not said it
   * @return see {@link #refill}
   */
  public boolean isRefilled(boolean byDefault) {
    return isRefilled == null ? byDefault : isRefilled;
  }

  /**
   * Sets the addresses where this launcher listens for the job's processes.
   *
   * @param addresses with commas between
   */
  public void launcherAddress(String addresses) {
    launcherAddress = addresses;
  }

  /**
   * The addresses where this launcher listens for the job's processes.
   *
   * @return empty: nowhere
   */
  public String launcherAddress() {
    return launcherAddress;
  }

  /**
   * The number of ranks.
   *
   * @return without spares; 0: not set
   */
  public int ranks() {
    return ranks;
  }

  /**
   * The number of spares.
   *
   * @return zero or more
   */
  public int spares() {
    return spares;
  }

  /**
   * The number of spare nodes.
   *
   * @return zero or more
   */
  public int spareNodes() {
    return spareNodes;
  }

  /**
   * The failures to inject that take a node.
   *
   * @return in the form of {@code --kill}
   */
  public List<String> nodeKills() {
    return kills.stream().filter(KillSpec::isOfNode).map(KillSpec::toString).toList();
  }

  /**
   * Where processes write down what they save.
   *
   * @return null: they do not
   */
  public Path proofFolder() {
    return proofFolder;
  }

  /**
   * The last iteration of a proof.
   *
   * @return the largest number if the program ends by itself
   */
  public long proofUntil() {
    return proofUntil;
  }

  /**
   * The JVM's option for an agent.
   *
   * @return empty: there is none
   */
  public String javaAgent() {
    return javaAgent;
  }

  /**
   * The number of the restart that this job is.
   *
   * @return 0: none
   */
  public int restarts() {
    return restarts;
  }

  /**
   * The number of processes that the fork may start anew.
   *
   * @return see {@link #maxRespawns(int)}
   */
  public int maxRespawns() {
    return maxRespawns;
  }

  /**
   * The failures to inject.
   *
   * @return in the form of {@code --kill}
   */
  public List<String> kills() {
    return kills.stream().map(KillSpec::toString).toList();
  }

  /**
   * The options for mpirun.
   *
   * @return in their order
   */
  public List<String> mpirunOptions() {
    return mpirunOptions;
  }

  /**
   * The words for the JVM, the main class and its arguments.
   *
   * @return in their order
   */
  public List<String> javaArguments() {
    return javaArguments;
  }

  /**
   * The command that ranks run.
   *
   * @return its path
   */
  public Path java() {
    return java;
  }
}
