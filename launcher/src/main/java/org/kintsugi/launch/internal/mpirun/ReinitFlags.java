// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.mpirun;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.kintsugi.launch.internal.batch.BatchSystem;
import org.kintsugi.launch.internal.commandline.Hosts;
import org.kintsugi.launch.internal.commandline.MpirunLine;
import org.kintsugi.launch.internal.host.Cores;
import org.kintsugi.launch.internal.host.JobFolders;
import org.kintsugi.launch.internal.host.Segments;
import org.kintsugi.launch.internal.natives.NativeLibraries;
import org.kintsugi.launch.spec.JobSpec;
import org.kintsugi.launch.spec.LaunchException;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.internal.PropertyNames;

/** The options for the Reinit++ fork of Open MPI 4.0: exactly those that were shown to be needed (docs/reinit-fork.md). */
record ReinitFlags(JobSpec job, Hosts hosts, JobFolders folders) implements FlavourFlags {
  /** The number of daemons that connect to mpirun directly: the default of routed_radix. */
  private static final int FLAT_TREE = 64;

  private static final String PRELOAD = "LD_PRELOAD";
  /** The variable for the folder of the socket through which ranks find mpirun. */
  private static final String CONTACT = "PMIX_SYSTEM_TMPDIR";
  private static final String SEGMENTS = "btl_vader_backing_directory";
  private static final String SESSIONS = "orte_tmpdir_base";
  private static final String SHELL = "trap '' USR1; export OMPI_MCA_" + SEGMENTS + "=\"$PMIX_SERVER_TMPDIR\"; exec \"$@\"";

  @Override
  public void check(Path natives) {
    if (!job.isFaultTolerant()) {
      throw new LaunchException("--no-fault-tolerance: the Reinit++ fork is for jobs that recover: take an Open MPI with ULFM "
          + "(--flavour ulfm), or leave the option out");
    }
    checkSpares(natives);
    int lost = job.nodeKills().size();
    if (lost > job.spareNodes()) {
      throw new LaunchException("--kill " + String.join(", ", job.nodeKills()) + ": under the Reinit++ fork the ranks of a lost "
          + "node are started again on an empty one, and without any the job ends: add --spare-nodes " + lost
          + (hosts.isKnown() ? " and as many hosts more (--host, --hostfile)" : ""));
    }
    if (job.spareNodes() == 0) {
      return;
    }
    if (!hosts.isKnown()) {
      System.err.println("jmpirun: --spare-nodes " + job.spareNodes() + ": only mpirun knows the hosts of this job, so which of "
          + "them stay empty is up to your options for it (--map-by ppr:RANKS:node, with as many nodes more); without an empty "
          + "one the loss of a node ends the job");
      return;
    }
    String asked = "--spare-nodes " + job.spareNodes() + ": ";
    int left = hosts.count() - job.spareNodes();
    if (left < 1) {
      throw new LaunchException(asked + "of " + hosts.count() + " host(s) none is left for the ranks: name at least "
          + (job.spareNodes() + 1) + " (--host, --hostfile)");
    }
    MpirunLine given = new MpirunLine(job.mpirunOptions(), Map.of(), Set.of());
    int slots = hosts.first(left).slots(Cores.ofThisHost());
    if (Oversubscription.of(given) == Oversubscription.FORBIDDEN && job.ranks() > slots) {
      throw new LaunchException(asked + "the " + left + " host(s) that are left for the ranks have " + slots + " slot(s) for "
          + job.ranks() + " ranks: add hosts or slots, or do not forbid to oversubscribe");
    }
  }

  /**
   * Refuses spares without the natives.
   *
   * <p>Without them nothing is preloaded into mpirun, and no JVM waits to replace a failed rank.
   */
  private void checkSpares(Path natives) {
    if (hasStarter(natives)) {
      return;
    }
    String missing = "no " + NativeLibraries.STARTER + " in "
        + (natives == null ? "the program's class path, nor any other native of Kintsugi for the Reinit++ fork" : natives);
    String remedy =
        "have " + NativeLibraries.artifact(Flavour.REINIT) + " on the class path, or name the folder of its natives with "
            + "-D" + PropertyNames.LIBRARY_PATH + "=FOLDER";
    if (job.spares() > 0) {
      throw new LaunchException("--spares " + job.spares() + ": nothing can start them: " + missing + ". Please " + remedy);
    }
    if (natives == null) {
      System.err.println("jmpirun: " + missing + ": the job may hang at its start or end, rarely; " + remedy);
    }
  }

  private static boolean hasStarter(Path natives) {
    return natives != null && Files.isExecutable(natives.resolve(NativeLibraries.STARTER));
  }

  /** The number of ranks: the runtime itself starts replacements. */
  @Override
  public int processes() {
    return job.ranks();
  }

  @Override
  public void addTo(MpirunLine line, Path natives) {
    if (FlavourFlags.isRoot() && !line.has("--allow-run-as-root", "-allow-run-as-root")) {
      // This mpirun has no environment variable for that.
      line.add("--allow-run-as-root");
    }
    // Without this option a failure ends the job.
    line.mca("--mca", "orte_enable_recovery", "1");
    // Only ob1 can be rolled back, and only over these transports.
    line.mca("--mca", "pml", "^cm");
    line.mca("--mca", "btl", "self,vader,tcp");
    // Over TCP the start of a process waits for 40 ms twice, by Nagle's algorithm and delayed
    // acknowledgements.
    line.mca("--mca", "pmix_server_usock_connections", "1");
    line.export("PMIX_MCA_ptl", "usock");
    // Otherwise the signal to roll back also goes to the children of the ranks, and kills them.
    line.mca("--mca", "odls_base_signal_direct_children_only", "1");
    // Only these options detect a node that falls silent.
    line.mca("--mca", "oob_tcp_keepalive_time", "1");
    line.mca("--mca", "oob_tcp_keepalive_intvl", "1");
    line.mca("--mca", "oob_tcp_keepalive_probes", "2");
    if (hosts.areOthersToo()) {
      // Without it the launcher's daemons stay attached to ssh; see UlfmFlags.
      line.mca("--mca", "plm_rsh_no_tree_spawn", "1");
      String library = NativeLibraries.preloaded(natives);
      if (library != null) {
        line.mca("--mca", "orte_launch_agent", "env " + PRELOAD + "=" + library + " orted");
      }
      if (hosts.count() > FLAT_TREE) {
        // The job would not survive the loss of a daemon to which other daemons connect.
        line.mca("--mca", "routed_radix", String.valueOf(hosts.count()));
      }
      // The session folder is in memory, because it has the segments; see starter.
      line.mca("--mca", SESSIONS, Segments.FOLDER.toString());
    } else if (folders != null) {
      // Aborted jobs do not remove their segments: put them where the launcher can. The folder
      // exists on this host only.
      line.mca("--mca", SEGMENTS, folders.sharedMemory().toString());
      // mpirun's session folder, too. (TMPDIR is for the user and the ranks.)
      if (!line.isSet("orte_local_tmpdir_base")) {
        line.mca("--mca", SESSIONS, folders.session().toString());
      }
    }
  }

  /** Without the library jobs hang at their start and at their end, rarely: native/reinit/launcher.c and wakeup.c. */
  @Override
  public Map<String, String> environment(Path natives, Map<String, String> given) {
    String library = NativeLibraries.preloaded(natives);
    String others = given.getOrDefault(PRELOAD, "");
    Map<String, String> all = new TreeMap<>();
    if (library != null) {
      all.put(PRELOAD, others.isEmpty() ? library : library + ":" + others);
    }
    if (folders != null && !given.containsKey(CONTACT)) {
      // srun hands this variable to the daemons of other hosts, which have no such folder.
      boolean isForOthers = hosts.areOthersToo() && BatchSystem.of(given) == BatchSystem.SLURM;
      all.put(CONTACT, isForOthers ? JobFolders.PARENT.toString() : folders.session().toString());
    }
    return all;
  }

  /**
   * The words that start a rank with the signal to roll back blocked and ignored.
   *
   * <p>The signal is blocked in all threads but the one that calls MPI, which unblocks it. A new
   * process must ignore it until it has its own handler: the default action would end it, and with
   * it the job.
   *
   * <p>Where daemons of other hosts must remove the segment of a process in every case, it must be
   * in their session folder. Elsewhere the segments of killed ranks remain, and those of ranks that
   * moved to a spare node even when the job ends well.
   */
  @Override
  public List<String> starter(Path natives, MpirunLine line) {
    List<String> words = new ArrayList<>();
    boolean isInShell = hosts.areOthersToo() && !line.isSet(SEGMENTS) && !line.isSet(SESSIONS);
    if (isInShell) {
      words.addAll(List.of("sh", "-c", SHELL, "sh"));
    }
    if (hasStarter(natives)) {
      words.add(natives.resolve(NativeLibraries.STARTER).toString());
    } else if (!isInShell) {
      words.addAll(List.of("env", "--ignore-signal=USR1", "--block-signal=USR1"));
    }
    return words;
  }
}
