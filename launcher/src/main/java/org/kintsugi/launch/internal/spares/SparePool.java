// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.spares;

import java.io.PrintStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.kintsugi.launch.internal.connections.WatchedRank;
import org.kintsugi.runtime.internal.TimeLimits;
import org.kintsugi.runtime.internal.protocol.FromProcess;

/**
 * Keeps the number of a job's processes constant.
 *
 * <p>For each failed process it orders a process of the job to start a new one, and it connects
 * waiting new processes with those that need one. It sees by the connections to the control server
 * which processes are alive, so it does not matter which process has asked for a new one or has
 * started one, or whether that process is still there. Only the control server's thread calls this
 * class.
 *
 * <p>A new process begins MPI alone, and waits ({@link FromProcess.Ready}). Then it is called, and
 * the others admit it, or it ends itself. From then on its end is a process failure like any other.
 *
 * <p>{@link PoolState} decides. This class has the connections: it hands events to it, and carries out its commands.
 */
public final class SparePool {

  private final PoolState state;
  private final PrintStream messages;
  private final PoolTrace trace;
  private final Map<WatchedRank, PooledProcess> processes = new HashMap<>();
  private final Map<PooledProcess, WatchedRank> connections = new HashMap<>();

  /**
   * A pool without requests.
   *
   * @param name of the job
   * @param isOnOneHost whether mpirun knows of one host only, whatever names the processes have for theirs (in containers, say)
   * @param messages the stream for the user
   */
  public SparePool(String name, boolean isOnOneHost, PrintStream messages) {
    state = new PoolState(name, isOnOneHost);
    this.messages = messages;
    trace = PoolTrace.begin(name, isOnOneHost);
  }

  /** From now on no new process is started on a host that was lost. */
  public void hostsAreLostForGood() {
    state.hostsAreLostForGood();
  }

  /**
   * A process has connected. The number is that of the order for which it was started; 0: it
   * belongs to the start of the job.
   */
  public void greet(WatchedRank rank, String job, String host, int number, long now) {
    observe(now);
    PooledProcess process = state.greet(job, rank.launchRank(), host, number, now);
    processes.put(rank, process);
    connections.put(process, rank);
    trace.greet(process, host, now);
    carryOut();
  }

  /** Handles a line if it is for the pool; false: it is not. */
  public boolean hear(WatchedRank rank, FromProcess line, long now) {
    PooledProcess process = processes.get(rank);
    if (process == null) {
      return false;
    }
    observe(now);
    boolean isHeard = state.hear(process, line, now);
    if (isHeard) {
      trace.hear(process, line, now);
    }
    carryOut();
    return isHeard;
  }

  /** A connection has ended. */
  public void lose(WatchedRank rank, boolean inOrder, long now) {
    PooledProcess process = processes.remove(rank);
    if (process != null) {
      observe(now);
      state.lose(process, inOrder, now);
      trace.lose(process, inOrder, now);
      carryOut();
      connections.remove(process);
    }
  }

  /** Handles limits. */
  public void look(long now) {
    observe(now);
    state.look(now);
    trace.look(now);
    carryOut();
  }

  /** Whether it is time to call {@link #see} with the running processes. */
  public boolean isToSee(long now) {
    return state.isToSee(now);
  }

  /**
   * Takes the order numbers of all started processes that are running. Some may not have begun MPI.
   */
  public void see(Set<Integer> started, long now) {
    observe(now);
    state.see(started, now);
    trace.see(started, now);
    carryOut();
  }

  /** The order numbers of started processes that must be ended. */
  public Set<Integer> takeUnneeded(long now) {
    return state.takeUnneeded(now);
  }

  /** The time until {@link #look} must be called, if nothing else happens before. */
  public long millisToNextLook(long now) {
    return state.millisToNextLook(now);
  }

  private void observe(long now) {
    processes.forEach((rank, process) -> {
      boolean isSilent = rank.silentMillis(now) >= TimeLimits.SILENT_STARTER_MILLIS;
      boolean isStarting = rank.isStarting();
      if (isSilent != process.isSilent || isStarting != process.isStarting) {
        process.isSilent = isSilent;
        process.isStarting = isStarting;
        trace.observe(process, now);
      }
    });
  }

  private void carryOut() {
    for (Command command : state.takeCommands()) {
      trace.command(command);
      if (command instanceof Command.Say say) {
        WatchedRank rank = connections.get(say.to());
        if (rank != null) { // null: its connection has ended
          rank.say(say.line());
        }
      } else if (command instanceof Command.Print print) {
        messages.println("jmpirun: " + print.message());
      }
    }
  }
}
