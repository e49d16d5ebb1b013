// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * On which host a new process is to be started: where most are missing of those that mpirun has started there, so that ranks and
 * their copies lie as they did at the start. Only where one of those is left: else the host may be lost; and if it is not, PMIx
 * does not tell a new process there any more where those on other hosts can be reached (seen with 5.0.7: PMIx_Get is not
 * answered).
 *
 * <p>mpirun by itself would take the first host: to it the slot of a dead process is not free.
 */
final class SpareHosts {
  private final Map<String, Integer> places = new LinkedHashMap<>();
  private final Set<String> refused = new HashSet<>();

  /** A process of mpirun's lies there. */
  void add(String host) {
    places.merge(host, 1, Integer::sum);
  }

  boolean areSeveral() {
    return places.size() > 1;
  }

  /** mpirun starts none there any more. */
  void refuse(String host) {
    refused.add(host);
  }

  /**
   * The host for one more.
   *
   * @param processes that each host has now
   * @param first those on which one is left that mpirun has started
   * @return its name; empty: let mpirun choose
   */
  String choose(Map<String, Integer> processes, Set<String> first) {
    String best = "";
    int mostMissing = Integer.MIN_VALUE;
    if (!areSeveral()) {
      return best;
    }
    for (Map.Entry<String, Integer> host : places.entrySet()) {
      int missing = host.getValue() - processes.getOrDefault(host.getKey(), 0);
      if (missing > mostMissing && first.contains(host.getKey()) && !refused.contains(host.getKey())) {
        mostMissing = missing;
        best = host.getKey();
      }
    }
    return best;
  }
}
