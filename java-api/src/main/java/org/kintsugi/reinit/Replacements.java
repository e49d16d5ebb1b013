// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Info;
import org.kintsugi.mpi.Intercomm;
import org.kintsugi.mpi.internal.launcher.Launcher;
import org.kintsugi.mpi.internal.lifetime.Deadline;
import org.kintsugi.runtime.JobConfig;
import org.kintsugi.runtime.internal.InRecovery;
import org.kintsugi.runtime.internal.RawWords;

/**
 * Processes that the policy {@code SPAWN_TOGETHER} adds. They run this program from its start,
 * and reach {@link UlfmProvider#begin} by themselves.
 *
 * <p>Open MPI's spawning is a collective without fault tolerance: if another process fails during
 * it, some processes wait in it for ever. So both sides have a deadline. At the end of theirs, the
 * old processes end the job for a restart. A new process ends itself, because the others can go on
 * without it: they treat that as any other failure.
 */
@InRecovery
final class Replacements {
  /**
   * Hints for the spawn. mpirun frees the slot of a failed process only at the end of the job, so
   * it would refuse a spawn if the failed processes had the last slots: hence oversubscribe. Its
   * mapping and binding rules for the ranks do not suit spawned processes either: each would be
   * bound to a core. The other hints say that the new processes replace failed ones: an abort ends
   * them together with the first job, and the job survives their failures (patch mpi/0005).
   */
  private static final Map<String, String> HINTS = Map.of("PMIX_MAPBY", "slot:OVERSUBSCRIBE", "PMIX_BINDTO", "none",
      "PMIX_JOB_RECOVERABLE", "true", "PMIX_SPAWN_CHILD_SEP", "true");

  private Replacements() {}

  /**
   * Starts processes. Collective.
   *
   * @param ranks of the run, spares not counted
   */
  static Intercomm spawn(Comm comm, int processes, int ranks) {
    List<String> words = commandLine();
    words.set(0, "-D" + JobConfig.SPAWNED.property() + "=true");
    if (JobConfig.RANKS.longValue() == 0) { // else it is among the words
      words.add(1, "-D" + JobConfig.RANKS.property() + "=" + ranks);
    }
    try (Info hints = Info.of(HINTS)) {
      return comm.spawn(program(), words.toArray(new String[0]), processes, hints, 0);
    }
  }

  /** The java that this process runs. */
  static String program() {
    String command = ProcessHandle.current().info().command().orElse(null);
    if (command == null) {
      throw new IllegalStateException("this process's command is unknown");
    }
    return command;
  }

  /**
   * The command line of this process, in a form that gives another process the same bytes. Not from
   * ProcessHandle.Info, which has no arguments if they are longer than a page of memory.
   */
  static List<String> commandLine() {
    try {
      return RawWords.ofThisProcess();
    } catch (IOException e) {
      throw new IllegalStateException("cannot read this process's command line to start others by it", e);
    }
  }

  /** The deadline of the processes that spawn; they close it. */
  static Deadline deadline(int processes) {
    return Deadline.begin(seconds(), null,
        "spawning " + processes + " process(es) in place of dead ones has not ended in " + span()
            + ", as when another one dies meanwhile");
  }

  /** The deadline of a process that was spawned; it closes it. */
  static Deadline admissionDeadline() {
    return Deadline.beginEndOfUnwanted(seconds(),
        "this process, spawned in place of a dead one, has not been admitted for " + span()
            + ", as when another one dies meanwhile, and ends");
  }

  /** Ends this process, which was spawned. Does not return. */
  static void end(String why) {
    Launcher.endUnwanted(why);
  }

  private static long seconds() {
    return JobConfig.RECOVERY_TIMEOUT_SECONDS.longValue();
  }

  private static String span() {
    return seconds() + " s (-D" + JobConfig.RECOVERY_TIMEOUT_SECONDS.property() + ")";
  }
}
