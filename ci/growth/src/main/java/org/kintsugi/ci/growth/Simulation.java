// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.growth;

import java.util.Arrays;

/**
 * A discrete-event simulation of processes that compute and exchange messages.
 *
 * <p>With a core for each process, a process that waits continues when its message arrives. With fewer cores each core has a
 * queue, as Open MPI's waiting has it (sched_yield): a process runs until it has nothing to do, and the next one follows, also if
 * it has nothing to do either. That turn in vain takes {@link Machine#pollNanos}, and is what makes recoveries on few cores long.
 */
public final class Simulation {
  /** The sender of the messages of a flood: a process waits for the first from any other. */
  private static final int ANY = -1;
  private static final int NOBODY = -2;
  private static final int NONE = -1;

  private final Machine machine;
  private final Script script;
  private final int processes;
  private final Operation next = new Operation();
  private final EventQueue events;

  private final int[] phase;
  private final int[] index;
  private final long[] clock;
  /** The process whose message a process waits for. */
  private final int[] awaited;
  /** Processor time that messages of a flood take from a process that does something else by then. */
  private final long[] stolen;
  private final long[] marks;

  /** Messages that have been sent and not received: a list for each receiver, in one pool. */
  private final int[] first;
  private int[] sender;
  private long[] arrival;
  private int[] later;
  private int free = NONE;
  private int used;
  private long messages;

  /** A simulation of one recovery, or of another script with this number of marks. */
  public Simulation(Machine machine, Script script, int steps) {
    this.machine = machine;
    this.script = script;
    processes = script.processes();
    events = new EventQueue(Math.max(processes, machine.cores()) + 1);
    phase = new int[processes];
    index = new int[processes];
    clock = new long[processes];
    awaited = new int[processes];
    stolen = new long[processes];
    first = new int[processes];
    marks = new long[steps];
    Arrays.fill(awaited, NOBODY);
    Arrays.fill(first, NONE);
    sender = new int[2 * processes];
    arrival = new long[2 * processes];
    later = new int[2 * processes];
  }

  /**
   * Runs it.
   *
   * @return for each step the nanoseconds from the begin to the moment when the last process ended it
   */
  public long[] run() {
    int ended = machine.cores() == 0 ? runEachOnItsCore() : runOnSharedCores();
    if (ended < processes) {
      throw new IllegalStateException((processes - ended) + " of " + processes
          + " processes wait for messages that are not sent: the script has a receive without a send");
    }
    return marks.clone();
  }

  /** Messages that were sent. */
  public long messages() {
    return messages;
  }

  private int runEachOnItsCore() {
    int ended = 0;
    for (int process = 0; process < processes; process++) {
      events.add(0, process);
    }
    while (!events.isEmpty()) {
      long now = events.time();
      int process = events.remove();
      clock[process] = Math.max(clock[process], now) + stolen[process];
      stolen[process] = 0;
      ended += advance(process) ? 1 : 0;
    }
    return ended;
  }

  private int runOnSharedCores() {
    int cores = Math.min(machine.cores(), processes);
    int[] turn = new int[cores];
    boolean[] hasEnded = new boolean[processes];
    int ended = 0;
    for (int core = 0; core < cores; core++) {
      turn[core] = core;
      events.add(0, core);
    }
    long poll = Math.round(machine.pollNanos());
    // If no process does anything in this number of turns, all wait for messages that nobody sends.
    long turnsInVain = 0;
    while (!events.isEmpty() && ended < processes && turnsInVain < 1_000_000L + 100L * processes) {
      long now = events.time();
      int core = events.remove();
      int process = turn[core];
      // A process that has ended stays in the queue: ours continue with the program, and wait in it.
      turn[core] = process + cores < processes ? process + cores : core;
      clock[process] = now + poll + stolen[process];
      stolen[process] = 0;
      long before = clock[process];
      if (!hasEnded[process]) {
        hasEnded[process] = advance(process);
        ended += hasEnded[process] ? 1 : 0;
      }
      turnsInVain = clock[process] > before || hasEnded[process] ? 0 : turnsInVain + 1;
      events.add(clock[process], core);
    }
    return ended;
  }

  /** Does what a process can do, until it has to wait; whether it has ended. */
  private boolean advance(int process) {
    while (true) {
      while (!script.at(process, phase[process], index[process], next)) {
        phase[process]++;
        index[process] = 0;
      }
      switch (next.kind) {
        case COMPUTE -> clock[process] += next.nanos;
        case SEND -> send(process, next.peer, next.bytes, process);
        case FLOOD -> send(process, next.peer, 0, ANY);
        case MARK -> marks[next.peer] = Math.max(marks[next.peer], clock[process]);
        case RECEIVE -> {
          if (!receive(process, next.peer)) {
            return false;
          }
        }
        case AWAIT_FLOOD -> {
          if (!receive(process, ANY) && clock[process] < next.nanos) {
            if (machine.cores() == 0) {
              events.add(next.nanos, process);
            }
            return false;
          }
          awaited[process] = NOBODY;
        }
        default -> {
          return true;
        }
      }
      index[process]++;
    }
  }

  private void send(int from, int to, long bytes, int as) {
    messages++;
    clock[from] += Math.round(machine.overheadNanos());
    long arrives = clock[from] + Math.round(machine.latency(from, to) + bytes * machine.perByteNanos());
    if (as == ANY && (phase[to] > 0 || hastenFlood(to, arrives))) {
      // It needs no second message, but must look at it.
      stolen[to] += Math.round(machine.overheadNanos());
      return;
    }
    put(to, as, arrives);
    wake(to, as, arrives);
  }

  /** Whether a message of the flood is on its way to a process already; it arrives with the earlier one of both. */
  private boolean hastenFlood(int process, long arrives) {
    for (int at = first[process]; at != NONE; at = later[at]) {
      if (sender[at] == ANY) {
        if (arrives < arrival[at]) {
          arrival[at] = arrives;
          wake(process, ANY, arrives);
        }
        return true;
      }
    }
    return false;
  }

  private void wake(int process, int from, long arrives) {
    if (awaited[process] == from && machine.cores() == 0) {
      events.add(Math.max(arrives, clock[process]), process);
    }
  }

  /** Takes the first message of a sender, if it has arrived; else notes that the process waits for it. */
  private boolean receive(int process, int from) {
    int previous = NONE;
    for (int at = first[process]; at != NONE; at = later[at]) {
      if (sender[at] == from) {
        if (arrival[at] > clock[process] && machine.cores() > 0) {
          break; // the next turn finds it
        }
        clock[process] = Math.max(clock[process], arrival[at]) + Math.round(machine.overheadNanos());
        unlink(process, previous, at);
        awaited[process] = NOBODY;
        return true;
      }
      previous = at;
    }
    awaited[process] = from;
    return false;
  }

  private void unlink(int process, int previous, int at) {
    if (previous == NONE) {
      first[process] = later[at];
    } else {
      later[previous] = later[at];
    }
    later[at] = free;
    free = at;
  }

  private void put(int to, int from, long arrives) {
    int place = free;
    if (place != NONE) {
      free = later[place];
    } else {
      place = used++;
      if (place == sender.length) {
        sender = Arrays.copyOf(sender, 2 * place);
        arrival = Arrays.copyOf(arrival, 2 * place);
        later = Arrays.copyOf(later, 2 * place);
      }
    }
    sender[place] = from;
    arrival[place] = arrives;
    later[place] = NONE;
    // At the end: of one sender the first message comes first.
    if (first[to] == NONE) {
      first[to] = place;
      return;
    }
    int last = first[to];
    while (later[last] != NONE) {
      last = later[last];
    }
    later[last] = place;
  }
}
