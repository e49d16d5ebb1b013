// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.mpirun;

import java.util.List;
import java.util.Map;
import org.kintsugi.launch.internal.commandline.Hosts;

/**
 * The placement of a job's processes, as far as the hosts are known.
 *
 * @param isScarce whether there are more processes than slots
 * @param mapping options of mpirun that bring it about; none where mpirun's default is right
 * @param used hosts that get processes: the first ones
 * @param mostOnOne processes of the host with most of them
 */
record Placement(boolean isScarce, List<String> mapping, int used, int mostOnOne) {
  /**
   * The placement of a job.
   *
   * @param spareNodes hosts that must stay empty
   * @param cores of this host; others that tell no slots are taken to have as many
   */
  static Placement of(Hosts hosts, int processes, int spareNodes, int cores) {
    if (spareNodes == 0) {
      boolean isScarce = processes > hosts.slots(cores);
      // By default mpirun oversubscribes the first host with all processes, and its loss ends the
      // job.
      List<String> mapping = isScarce && hosts.count() > 1 ? List.of("--map-by", "slot") : List.of();
      return new Placement(isScarce, mapping, Math.min(hosts.count(), processes), hosts.mostOnOne(processes, cores));
    }
    Hosts forRanks = hosts.first(hosts.count() - spareNodes);
    boolean isScarce = processes > forRanks.slots(cores);
    boolean isGuessed = forRanks.slots().containsValue(0);
    if (isScarce || isGuessed) {
      // Where slots are scarce mpirun would use the empty hosts, too. With `each` processes per
      // host it fills only the first ones.
      int each = (processes + forRanks.count() - 1) / forRanks.count();
      return new Placement(isScarce, List.of("--map-by", "ppr:" + each + ":node"), (processes + each - 1) / each, each);
    }
    int used = 1;
    while (hosts.first(used).slots(cores) < processes) {
      used++;
    }
    // Host by host.
    return new Placement(false, List.of("--map-by", "slot"), used, forRanks.mostOnOne(processes, cores));
  }

  /**
   * The hosts with as many slots as keep spares off the hosts of ranks, so that no loss of a host takes a rank and its spare.
   * mpirun itself fills all slots of a host before it takes the next one.
   *
   * @param hosts with their slots
   * @return for mpirun's option {@code --host}; empty if mpirun does so anyway, or there are too few hosts
   */
  static String apart(Hosts hosts, int ranks, int spares) {
    StringBuilder list = new StringBuilder();
    int ranksLeft = ranks;
    int sparesLeft = spares;
    boolean isMixed = false;
    for (Map.Entry<String, Integer> host : hosts.slots().entrySet()) {
      int slots = host.getValue();
      int here = ranksLeft > 0 ? Math.min(slots, ranksLeft) : Math.min(slots, sparesLeft);
      isMixed |= ranksLeft > 0 && here == ranksLeft && here < slots;
      sparesLeft -= ranksLeft > 0 ? 0 : here;
      ranksLeft -= ranksLeft > 0 ? here : 0;
      if (here > 0) {
        list.append(list.isEmpty() ? "" : ",").append(host.getKey()).append(':').append(here);
      }
    }
    return isMixed && ranksLeft == 0 && sparesLeft == 0 ? list.toString() : "";
  }
}
