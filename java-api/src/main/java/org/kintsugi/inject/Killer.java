// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.inject;

import java.util.ArrayList;
import java.util.List;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.mpi.internal.memory.Errno;
import org.kintsugi.runtime.Kill;
import org.kintsugi.runtime.SignalNumbers;

/** Carries out a {@link Kill}: SIGKILL, to processes known by their id. */
public final class Killer {
  private static final int SELF = Kintsugi.kintsugi_process_id();

  private Killer() {}

  /** Loads what a kill needs, so that a victim dies at the moment it should and not 10 ms later. */
  public static void prepare() {
    Kintsugi.kintsugi_parent_pid();
  }

  /**
   * Finds out whether a kill can be carried out, before the work starts.
   *
   * @param kill what is to die in this process's life; null: nothing
   * @throws IllegalStateException if it is the node on which mpirun runs
   */
  public static void check(Kill kill) {
    if (kill != null && kill.kind() == Kill.Kind.NODE) {
      daemon(kill);
    }
  }

  /**
   * Does not return if all goes as planned.
   *
   * @param kill the process's own failure, or its node's
   * @throws IllegalStateException if it cannot be carried out
   */
  public static void carryOut(Kill kill) {
    if (kill.kind() == Kill.Kind.NODE) {
      killNode(daemon(kill));
    }
    int error = Kintsugi.kintsugi_kill(SELF, SignalNumbers.SIGKILL);
    throw new IllegalStateException("cannot kill process " + SELF + ": " + Errno.text(error));
  }

  /** The launcher's daemon on this node, the parent of all its ranks; on mpirun's own node it is mpirun itself. */
  private static ProcessHandle daemon(Kill kill) {
    int parent = Kintsugi.kintsugi_parent_pid();
    ProcessHandle handle = ProcessHandle.of(parent).orElseThrow(
        () -> new IllegalStateException("kill " + kill + ": the launcher's daemon, process " + parent + ", is gone"));
    String command = handle.info().command().orElse("");
    if (!command.endsWith("/prted") && !command.endsWith("/orted")) {
      throw new IllegalStateException("kill " + kill + ": rank " + kill.rank() + " is on the node on which mpirun runs (process "
          + parent + ", " + command + "), and no job outlives that one: choose a rank on another node, or start the job from a "
          + "host that runs no rank");
    }
    return handle;
  }

  private static void killNode(ProcessHandle daemon) {
    // Whom to kill is known before the first one dies: children of a dead daemon are nobody's children.
    List<Integer> others = new ArrayList<>();
    for (ProcessHandle one : daemon.descendants().toList()) {
      if (one.pid() != SELF) {
        others.add((int) one.pid());
      }
    }
    Kintsugi.kintsugi_kill((int) daemon.pid(), SignalNumbers.SIGKILL);
    for (int other : others) {
      Kintsugi.kintsugi_kill(other, SignalNumbers.SIGKILL);
    }
  }
}
