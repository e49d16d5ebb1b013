// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.fault;

import java.util.List;
import java.util.stream.Collectors;
import org.kintsugi.bindings.Kintsugi;

/** Carries out a {@link FaultPlan.Kill}: SIGKILL, to processes known by their id. */
public final class Killer {
  private static final int SIGKILL = 9;

  private Killer() {}

  /** Does not return if all goes as planned. */
  public static void carryOut(FaultPlan.Kill kill) {
    int self = (int) ProcessHandle.current().pid();
    if (kill.kind() == FaultPlan.Kind.NODE) {
      killNode(self);
    }
    int error = Kintsugi.kintsugi_kill(self, SIGKILL);
    throw new IllegalStateException("cannot kill process " + self + ": errno " + error);
  }

  private static void killNode(int self) {
    int daemon = Kintsugi.kintsugi_parent_pid();
    ProcessHandle handle = ProcessHandle.of(daemon)
        .orElseThrow(() -> new IllegalStateException("node kill: the launcher's daemon is gone"));
    String command = handle.info().command().orElse("");
    if (!command.endsWith("/prted") && !command.endsWith("/orted")) {
      throw new IllegalStateException("node kill: process " + daemon + " (" + command
          + ") is no daemon of a compute node; killing mpirun itself would end the job");
    }
    List<Integer> siblings =
        handle.children().map(child -> (int) child.pid()).filter(pid -> pid != self).collect(Collectors.toList());
    Kintsugi.kintsugi_kill(daemon, SIGKILL);
    for (int sibling : siblings) {
      Kintsugi.kintsugi_kill(sibling, SIGKILL);
    }
  }
}
