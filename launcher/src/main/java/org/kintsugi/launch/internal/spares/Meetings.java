// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.spares;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.kintsugi.launch.internal.spares.PooledProcess.State;
import org.kintsugi.runtime.internal.TimeLimits;
import org.kintsugi.runtime.internal.protocol.FromLauncher;

/** Who meets whom: processes that need a new one, and new ones that wait. */
final class Meetings {

  /** A request for a process. {@code left} is the number of processes by the count of the requester. */
  private record Want(int left, long sinceNanos) {}

  /** The outcome of a request. */
  enum Outcome {
    /** It has crossed its answer. */
    CROSSED,
    /** The requester meets a waiting process. */
    MET,
    /** The requester waits, as it did before. */
    WAITS,
    /** The requester begins to wait. */
    BEGINS_TO_WAIT
  }

  private final String name;
  private final List<Command> out;
  private final Map<PooledProcess, Want> wanting = new LinkedHashMap<>();
  private int meetings;

  /**
   * No process needs another one.
   *
   * @param name of the job
   * @param out gets the commands
   */
  Meetings(String name, List<Command> out) {
    this.name = name;
    this.out = out;
  }

  /** The first process that waits for a new one; null: none does. */
  PooledProcess first() {
    return wanting.isEmpty() ? null : wanting.keySet().iterator().next();
  }

  boolean isAnybodyWaiting() {
    return !wanting.isEmpty();
  }

  /** The lowest count of the members by a requester; or this number. */
  int lowestLeft(int otherwise) {
    return wanting.values().stream().mapToInt(Want::left).reduce(otherwise, Math::min);
  }

  /**
   * The lowest process of a communicator asks, and counts its remaining members. Some failures may
   * not be known here yet.
   */
  Outcome need(PooledProcess asker, int left, Collection<PooledProcess> processes, long now) {
    if (processes.stream().anyMatch(process -> process.state == State.CALLED && process.caller == asker
        && process.leftToCaller == left
        && now - process.sinceNanos < TimeLimits.nanos(TimeLimits.CROSSING_MILLIS))) {
      return Outcome.CROSSED;
    }
    boolean isNew = wanting.remove(asker) == null;
    PooledProcess ready = null;
    for (PooledProcess process : processes) {
      if (process.isCalled() && process.caller == asker) {
        // None of them reports that it has joined before the whole recovery ends, and this request
        // shows that it goes on.
        process.enter(State.COUNTED, now);
      } else if (process.state == State.READY && (ready == null || ready.isSilent)) {
        ready = process;
      }
    }
    if (ready != null) {
      call(asker, left, ready, now);
      return Outcome.MET;
    }
    wanting.put(asker, new Want(left, now));
    return isNew ? Outcome.BEGINS_TO_WAIT : Outcome.WAITS;
  }

  /** A process waits to be called: the first requester meets it. */
  void offer(PooledProcess ready, long now) {
    PooledProcess first = first();
    if (first != null) {
      call(first, wanting.remove(first).left, ready, now);
    }
  }

  private void call(PooledProcess caller, int leftToCaller, PooledProcess called, long now) {
    called.enter(State.CALLED, now);
    called.caller = caller;
    called.leftToCaller = leftToCaller;
    called.meeting = "kintsugi-" + name + "-" + ++meetings;
    out.add(new Command.Say(called, new FromLauncher.Come(called.meeting)));
    out.add(new Command.Say(caller, new FromLauncher.Called(called.meeting)));
  }

  /** A caller has ended: the processes that it has called are notified. */
  void loseCaller(PooledProcess caller, Collection<PooledProcess> processes) {
    wanting.remove(caller);
    for (PooledProcess process : processes) {
      if (process.isCalled() && process.caller == caller) {
        out.add(new Command.Say(process, new FromLauncher.Gone(process.meeting)));
      }
    }
  }

  /** A called process has ended: its caller is notified. */
  void loseCalled(PooledProcess gone) {
    if (gone.isCalled()) {
      out.add(new Command.Say(gone.caller, new FromLauncher.Gone(gone.meeting)));
    }
  }

  /** Called processes that have not reported in time are members: see the comment. */
  void lookAtCalls(Collection<PooledProcess> processes, long now) {
    for (PooledProcess process : processes) {
      // Either a long recovery admits it, or it ends itself, which its connection shows. Keep it:
      // its failure must be reported.
      if (process.hasBeenIn(State.CALLED, TimeLimits.nanos(TimeLimits.CALL_MILLIS), now)
          || process.hasBeenIn(State.COUNTED, TimeLimits.nanos(TimeLimits.CALL_MILLIS), now)) {
        process.state = State.MEMBER;
      }
    }
  }

  /** Drops requests that were not repeated. */
  void dropOld(long now) {
    wanting.values().removeIf(want -> now - want.sinceNanos > TimeLimits.nanos(TimeLimits.WANT_MILLIS));
  }

  /** No process will come: all requesters get that answer. */
  void refuseAll() {
    for (PooledProcess asker : new ArrayList<>(wanting.keySet())) {
      out.add(new Command.Say(asker, new FromLauncher.None()));
    }
    wanting.clear();
  }

  void clear() {
    wanting.clear();
  }
}
