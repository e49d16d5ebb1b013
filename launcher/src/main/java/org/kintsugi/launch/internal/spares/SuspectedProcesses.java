// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.spares;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Processes that others have reported dead, but whose connections are open.
 *
 * <p>There are three cases. The connection is about to end. Or the process's host is silent, and
 * all processes there are lost. Or only this process is lost: it was stopped, for instance by a
 * debugger, for longer than the others wait for its heartbeat. The answers of the host's other
 * processes show which case it is.
 */
final class SuspectedProcesses {
  private final Collection<PooledProcess> processes;
  private final Set<PooledProcess> suspects = new HashSet<>();

  /** Begins without suspects among these processes. */
  SuspectedProcesses(Collection<PooledProcess> processes) {
    this.processes = processes;
  }

  /** Adds a process. Returns the processes to ask: all of its host; none if it is a suspect already. */
  List<PooledProcess> add(PooledProcess suspect) {
    if (!suspects.add(suspect)) {
      return List.of();
    }
    List<PooledProcess> asked = processes.stream().filter(other -> other.host.equals(suspect.host)).toList();
    asked.forEach(other -> other.hasAnswered = false);
    return asked;
  }

  boolean isEmpty() {
    return suspects.isEmpty();
  }

  /**
   * The processes that count as failed; afterwards there are no suspects.
   *
   * <p>Call it when there was time for an answer, or for a connection to end.
   */
  List<PooledProcess> judge() {
    suspects.retainAll(processes);
    Predicate<String> answers = host -> processes.stream()
        .anyMatch(each -> each.hasAnswered && !suspects.contains(each) && each.host.equals(host));
    Set<String> silent = suspects.stream().map(process -> process.host).filter(answers.negate()).collect(Collectors.toSet());
    List<PooledProcess> lost =
        processes.stream().filter(process -> suspects.contains(process) || silent.contains(process.host)).toList();
    suspects.clear();
    return lost;
  }
}
