// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.spares;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.kintsugi.launch.internal.connections.WatchedRank;
import org.kintsugi.runtime.internal.protocol.FromLauncher;

/**
 * Processes of {@link SparePool} that others have reported dead, but whose connections are open.
 *
 * <p>There are three cases. The connection is about to end. Or the process's host is silent, and
 * all processes there are lost. Or only this process is lost: it was stopped, for instance by a
 * debugger, for longer than the others wait for its heartbeat. The answers of the host's other
 * processes show which case it is.
 */
final class SuspectedProcesses {
  private final Map<WatchedRank, PooledProcess> processes;
  private final Set<WatchedRank> suspects = new HashSet<>();

  /** Begins without suspects among these processes. */
  SuspectedProcesses(Map<WatchedRank, PooledProcess> processes) {
    this.processes = processes;
  }

  /** Adds a process, and asks all of its host. False: it is a suspect already. */
  boolean add(WatchedRank rank) {
    if (!suspects.add(rank)) {
      return false;
    }
    String host = processes.get(rank).host;
    processes.forEach((other, process) -> {
      if (process.host.equals(host)) {
        process.hasAnswered = false;
        other.say(new FromLauncher.Alive());
      }
    });
    return true;
  }

  boolean isEmpty() {
    return suspects.isEmpty();
  }

  /**
   * The processes that count as failed; afterwards there are no suspects.
   *
   * <p>Call it when there was time for an answer, or for a connection to end.
   */
  List<WatchedRank> judge() {
    suspects.retainAll(processes.keySet());
    Predicate<String> answers = host -> processes.entrySet().stream()
        .anyMatch(each -> each.getValue().hasAnswered && !suspects.contains(each.getKey()) && each.getValue().host.equals(host));
    Set<String> silent = suspects.stream().map(rank -> processes.get(rank).host).filter(answers.negate())
        .collect(Collectors.toSet());
    List<WatchedRank> lost = processes.keySet().stream()
        .filter(rank -> suspects.contains(rank) || silent.contains(processes.get(rank).host)).toList();
    suspects.clear();
    return lost;
  }
}
