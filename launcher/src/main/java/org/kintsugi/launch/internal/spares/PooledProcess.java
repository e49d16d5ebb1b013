// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.spares;

import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;

/** A connected process, as {@link PoolState} sees it. */
final class PooledProcess {
  /** The states of a process. */
  enum State {
    /** A member of the run, possibly a spare. */
    MEMBER,
    /** Started, and not ready yet. */
    STARTED,
    /** Started, and it waits to be called. */
    READY,
    /** It meets a member, and has not reported yet that it has joined. */
    CALLED,
    /** Called, but the caller asks again: it is in the caller's count already, or lost. */
    COUNTED
  }

  final String job;
  final int rank;
  final String host;
  /** The number of the order for which it was started; 0: none. */
  final int number;
  State state;
  long sinceNanos;
  /** The name of its meeting with the caller. */
  String meeting;
  PooledProcess caller;
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
  /** Observed before each event: it has not answered the launcher for some time. */
  boolean isSilent;
  /** Observed before each event: it is in {@code Mpi.init}. */
  boolean isStarting = true;

  /**
   * A process that has just connected.
   *
   * @param job the runtime's name for its job
   * @param rank in that job
   * @param number of its order; 0: it belongs to the start of the job
   */
  PooledProcess(String job, int rank, String host, int number, long now) {
    this.job = job;
    this.rank = rank;
    this.host = host;
    this.number = number;
    this.state = number == 0 ? State.MEMBER : State.STARTED;
    sinceNanos = now;
  }

  void enter(State next, long now) {
    state = next;
    sinceNanos = now;
  }

  /** Whether it has been in a state for longer than that. */
  boolean hasBeenIn(State one, long nanos, long now) {
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

  /** Whether it is late in its {@code Mpi.init}. After that the program has no limit until it is ready. */
  boolean isStuck(long nanos, long now) {
    return hasBeenIn(State.STARTED, nanos, now) && isStarting;
  }
}
