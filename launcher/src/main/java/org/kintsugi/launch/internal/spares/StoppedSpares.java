// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.spares;

import java.io.PrintStream;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.kintsugi.launch.internal.connections.WatchedRank;
import org.kintsugi.launch.internal.host.JobProcesses;
import org.kintsugi.runtime.internal.TimeLimits;
import org.kintsugi.runtime.internal.protocol.RankPlace.Phase;

/**
 * Ends spares of this host that are stopped (SIGSTOP).
 *
 * <p>All processes of a run, including spares, take part in each recovery and in the run's end. A
 * stopped spare would block both, and no work is lost with it. A stopped rank is not ended, because
 * the user who stopped it may want to debug it.
 *
 * <p>If a whole job is stopped, no process answers, and none is ended; nor when the job continues,
 * as its spares then answer within a moment. (A spare that has become a rank in the last two
 * seconds may count as a spare.)
 */
public final class StoppedSpares {

  private final JobProcesses processes;
  private final PrintStream messages;
  /** The spares that were stopped at the last look. */
  private final Set<WatchedRank> stopped = new HashSet<>();
  private long lookedNanos;

  public StoppedSpares(JobProcesses processes, PrintStream messages) {
    this.processes = processes;
    this.messages = messages;
    lookedNanos = System.nanoTime();
  }

  /** Ends the spares that are stopped, and were so at the last look. */
  public void look(long now, List<WatchedRank> ranks) {
    if (now - lookedNanos < TimeLimits.nanos(TimeLimits.STOPPED_LOOK_MILLIS)) {
      return;
    }
    Set<WatchedRank> before =
        now - lookedNanos > TimeLimits.nanos(TimeLimits.STOPPED_GAP_MILLIS) ? Set.of() : Set.copyOf(stopped);
    lookedNanos = now;
    stopped.clear();
    if (ranks.stream().anyMatch(rank -> isLively(rank, now))) {
      ranks.stream().filter(rank -> isSilentSpare(rank, now) && JobProcesses.isStopped(rank.processId())).forEach(stopped::add);
    }
    for (WatchedRank rank : stopped) {
      if (before.contains(rank) && processes.end(rank.processId())) {
        messages
            .println("jmpirun: a spare, " + rank.who() + ", was stopped (SIGSTOP), and would hold up the next recovery and the "
                + "end of the job: it has been ended");
      }
    }
  }

  private static boolean isSilentSpare(WatchedRank rank, long now) {
    return !rank.hasLeft() && rank.place() != null && rank.place().phase() == Phase.SPARE
        && rank.silentMillis(now) > TimeLimits.SILENT_SPARE_MILLIS;
  }

  private static boolean isLively(WatchedRank rank, long now) {
    return !rank.hasLeft() && rank.place() != null && rank.silentMillis(now) < TimeLimits.LIVELY_MILLIS;
  }
}
