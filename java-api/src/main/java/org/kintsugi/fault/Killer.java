// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.fault;

import java.util.List;
import java.util.stream.Collectors;
import org.kintsugi.bindings.Kintsugi;

/** Carries out a {@link FaultPlan.Kill}: SIGKILL, to processes known by their id. */
public final class Killer {
  private static final int SIGKILL = 9;
  private static final int SELF = (int) ProcessHandle.current().pid();

  private Killer() {}

  /** Loads what a kill needs, so that a victim dies at the moment it should and not 10 ms later. */
  public static void prepare() {
    Kintsugi.kintsugi_parent_pid();
  }

  /** Does not return if all goes as planned. */
  public static void carryOut(FaultPlan.Kill kill) {
    if (kill.kind() == FaultPlan.Kind.NODE) {
      killNode();
    }
    int error = Kintsugi.kintsugi_kill(SELF, SIGKILL);
    throw new IllegalStateException("cannot kill process " + SELF + ": errno " + error);
  }

  private static void killNode() {
    int daemon = Kintsugi.kintsugi_parent_pid();
    ProcessHandle handle = ProcessHandle.of(daemon)
        .orElseThrow(() -> new IllegalStateException("node kill: the launcher's daemon is gone"));
    String command = handle.info().command().orElse("");
    if (!command.endsWith("/prted") && !command.endsWith("/orted")) {
      throw new IllegalStateException("node kill: process " + daemon + " (" + command
          + ") is no daemon of a compute node; killing mpirun itself would end the job");
    }
    List<Integer> siblings =
        handle.children().map(child -> (int) child.pid()).filter(pid -> pid != SELF).collect(Collectors.toList());
    Kintsugi.kintsugi_kill(daemon, SIGKILL);
    for (int sibling : siblings) {
      Kintsugi.kintsugi_kill(sibling, SIGKILL);
    }
  }
}
