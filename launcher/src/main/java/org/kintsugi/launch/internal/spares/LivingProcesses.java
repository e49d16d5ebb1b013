// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.spares;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.kintsugi.launch.internal.spares.PooledProcess.State;
import org.kintsugi.runtime.internal.TimeLimits;

/**
 * Which processes of a job live, and how many the run has.
 *
 * <p>Three sources count the members of the run: the connections; the report of a process after a
 * recovery, on its communicator (the processes of a silent host are no longer in it, but their
 * connections are open); and the counts of processes that ask for a new one. The lowest count is
 * right.
 */
final class LivingProcesses {
  /** The count of a source that has not reported. */
  static final int NOT_TOLD = Integer.MAX_VALUE;

  private final Set<PooledProcess> all = new LinkedHashSet<>();
  private final SuspectedProcesses suspects = new SuspectedProcesses(all);
  private int kept;
  private int left = NOT_TOLD;
  private boolean haveAllCome;
  private boolean hasSomebodyLeft;
  private long aloneSince;

  /** All connected processes, in the order of their coming. */
  Collection<PooledProcess> all() {
    return all;
  }

  SuspectedProcesses suspects() {
    return suspects;
  }

  boolean contains(PooledProcess process) {
    return all.contains(process);
  }

  void add(PooledProcess process) {
    all.add(process);
    noteWhetherAllHaveCome();
  }

  /** Removes a process; false: it is not there. */
  boolean remove(PooledProcess process) {
    return all.remove(process);
  }

  /** A member has ended in order. */
  void hasLeft() {
    hasSomebodyLeft = true;
  }

  /** The number of processes to keep alive; 0: there is no run. */
  int kept() {
    return kept;
  }

  void keep(int processes) {
    kept = processes;
    noteWhetherAllHaveCome();
  }

  /** A process has reported how many members are left after a recovery. */
  void report(int processes) {
    left = processes;
    noteWhetherAllHaveCome();
  }

  /** The report has led to orders: the next decision is made by the connections. */
  void forgetReport() {
    left = NOT_TOLD;
  }

  /** Whether the connections show fewer members than the latest report, or there is none. */
  boolean isNewFailure() {
    return left == NOT_TOLD || count(State.MEMBER) < left;
  }

  /** The run has admitted a process. */
  void join(PooledProcess process) {
    left += process.state == State.CALLED && left != NOT_TOLD ? 1 : 0;
    process.state = State.MEMBER;
    process.isInRun = true;
    noteWhetherAllHaveCome();
  }

  /**
   * Notes whether all processes have connected.
   *
   * <p>If some have died before they connected here, all that the others know of are enough.
   */
  private void noteWhetherAllHaveCome() {
    haveAllCome |= kept > 0 && count(State.MEMBER) >= Math.min(kept, left);
  }

  int count(State state) {
    return (int) all.stream().filter(process -> process.state == state).count();
  }

  /** The processes that are neither members nor counted as such: on the way, waiting, or called. */
  int onTheWay() {
    return all.size() - count(State.MEMBER) - count(State.COUNTED);
  }

  /** The number of members by connections and reports; {@link #NOT_TOLD}: not known yet. */
  int members() {
    return Math.min(haveAllCome ? count(State.MEMBER) + count(State.COUNTED) : NOT_TOLD, left);
  }

  /** The processes that a report of the runtime names: one or none. */
  List<PooledProcess> named(String job, int rank) {
    return all.stream().filter(process -> process.job.equals(job) && process.rank == rank).toList();
  }

  /** Whether no member will come any more. To be called at each event. */
  boolean isAbandoned(long now) {
    if (count(State.MEMBER) > 0 || all.isEmpty()) {
      aloneSince = now;
      return false;
    }
    return hasSomebodyLeft || now - aloneSince > TimeLimits.nanos(TimeLimits.ALONE_MILLIS);
  }

  /** Whether a process is there that has not been dismissed. */
  boolean isAnybodyNeeded() {
    return all.stream().anyMatch(process -> !process.isUnneeded);
  }
}
