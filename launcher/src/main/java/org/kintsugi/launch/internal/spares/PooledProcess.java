// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.spares;

import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;
import org.kintsugi.launch.internal.connections.WatchedRank;

/** A connected process, as {@link SparePool} sees it. */
final class PooledProcess {
  /** The states of a process. */
  enum State {
    /** A member of the run, possibly a spare. */
    MEMBER,
    /** Started, and not ready yet. */
    STARTED, READY, CALLED,
    /** Called, but the caller asks again: it is in the caller's count already, or lost. */
    COUNTED
  }

  final String job;
  final String host;
  /** The number of the order for which it was started; 0: none. */
  final int number;
  State state;
  long sinceNanos;
  /** The name of its meeting with the caller. */
  String meeting;
  WatchedRank caller;
  /** The number of processes that were left by the caller's count when it asked. */
  int leftToCaller;
  /**
   * Whether it got the line that no process needs it. It then ends at once, unless it is stopped or
   * hangs.
   */
  boolean isUnneeded;
  /** Whether it is in the run, and reads orders from the launcher. */
  boolean isInRun;
  /** Whether it has answered since {@link SuspectedProcesses} asked it last. */
  boolean hasAnswered;

  PooledProcess(String job, String host, int number, State state, long now) {
    this.job = job;
    this.host = host;
    this.number = number;
    this.state = state;
    sinceNanos = now;
  }

  boolean isFor(State one, long nanos, long now) {
    return state == one && now - sinceNanos > nanos;
  }

  /** The hosts on which these processes are. */
  static Set<String> hosts(Collection<PooledProcess> processes) {
    return processes.stream().map(process -> process.host).collect(Collectors.toSet());
  }

  /** Whether it was called, and has not reported yet that it has joined. */
  boolean isCalled() {
    return state == State.CALLED || state == State.COUNTED;
  }
}
