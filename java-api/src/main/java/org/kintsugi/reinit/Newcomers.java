// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Info;
import org.kintsugi.mpi.Intercomm;
import org.kintsugi.mpi.internal.Deadline;
import org.kintsugi.mpi.internal.Launcher;
import org.kintsugi.runtime.JobConfig;
import org.kintsugi.runtime.internal.RawWords;

/**
 * Processes that the policy {@code SPAWN} adds. They run this program from its start, and reach {@link UlfmProvider#begin} by
 * themselves.
 *
 * <p>Open MPI's spawning is a collective without fault tolerance: when another process dies in the middle of it, some wait in it
 * for ever. So both sides have a deadline. At the end of theirs the old processes end the job for a restart; a new process,
 * without which the others can go on, ends itself, which is a death like any other.
 */
final class Newcomers {
  /**
   * A dead process leaves a free place, but mpirun gives its slot back only at the end of the job, and refuses a spawn where the
   * dead had the last slots. mpirun's mapping and binding rules for the ranks do not suit spawned processes either: each would
   * be bound to a core. The rest says that they make up for dead ones: an abort ends them and the first job together, and their
   * own deaths are survived (patch 0057).
   */
  private static final Map<String, String> HINTS = Map.of("PMIX_MAPBY", "slot:OVERSUBSCRIBE", "PMIX_BINDTO", "none",
      "PMIX_JOB_RECOVERABLE", "true", "PMIX_SPAWN_CHILD_SEP", "true");

  private Newcomers() {}

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
    return ProcessHandle.current().info().command()
        .orElseThrow(() -> new IllegalStateException("this process's command is unknown"));
  }

  /**
   * The words of this process, from which another one gets the same bytes. Not from ProcessHandle.Info, which has no arguments
   * where they are longer than a page of memory.
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
  static Deadline deadlineToBeTakenIn() {
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
