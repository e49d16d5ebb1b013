// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.fti;

import org.kintsugi.checkpoint.CheckpointConfig;
import org.kintsugi.checkpoint.engine.CheckpointException;
import org.kintsugi.runtime.internal.Schedule;

/**
 * FTI's demands on its settings. FTI checks some of them itself, and with others it crashes, hangs or goes on without
 * redundancy, so this class refuses all violations, and names the rule.
 *
 * @param schedule the level of each save
 * @param nodeSize ranks of a node
 * @param groupSize nodes of a group, whose files are each other's redundancy at levels 2 and 3
 * @param blockKilobytes the size of the pieces in which files go to partners and are encoded
 * @param byHost whether a node is a host, by its name; else a node is {@code nodeSize} successive ranks
 * @param verbosity FTI's: 1 all, 2 progress, 3 warnings
 */
record FtiRules(Schedule schedule, int nodeSize, int groupSize, int blockKilobytes, boolean byHost, int verbosity) {
  static final int LEVELS = 4;

  private static final String AUTO = "auto";
  /** The matrices with which level 3 encodes are laid out for fewer nodes than this. */
  private static final int GROUP_LIMIT = 32;
  private static final int USUAL_GROUP = 4;
  private static final int MOST_BLOCK_KILOBYTES = 2048;
  private static final int MOST_VERBOSITY = 3;
  /** Rare enough that most saves stay cheap. */
  private static final String ALL_LEVELS = "1,2:2,3:6,4:12";
  private static final String WITHOUT_GROUPS = "1,4:6";

  /**
   * The job's settings, for a world with this number of ranks.
   *
   * @throws IllegalArgumentException naming setting, value and rule
   */
  static FtiRules ofJob(int ranks) {
    int nodeSize = number(CheckpointConfig.FTI_NODE_SIZE, 1, Integer.MAX_VALUE);
    if (ranks % nodeSize != 0) {
      throw refused(CheckpointConfig.FTI_NODE_SIZE, "FTI needs nodes of equal size, and " + ranks
          + " rank(s) cannot be divided into nodes of " + nodeSize);
    }
    int nodes = ranks / nodeSize;
    boolean autoGroup = CheckpointConfig.FTI_GROUP_SIZE.value().equals(AUTO);
    int groupSize = autoGroup ? usualGroup(nodes) : number(CheckpointConfig.FTI_GROUP_SIZE, 1, GROUP_LIMIT - 1);
    if (nodes % groupSize != 0) {
      throw refused(CheckpointConfig.FTI_GROUP_SIZE, "FTI needs groups of equal size, and " + nodes
          + " node(s) cannot be divided into groups of " + groupSize);
    }
    String levels = CheckpointConfig.FTI_LEVELS.value();
    if (levels.equals(AUTO)) {
      levels = groupSize > 1 ? ALL_LEVELS : WITHOUT_GROUPS;
    }
    Schedule schedule = levels(levels);
    if (groupSize < 2 && (has(schedule, 2) || has(schedule, 3))) {
      throw refused(autoGroup ? CheckpointConfig.FTI_LEVELS : CheckpointConfig.FTI_GROUP_SIZE,
          "levels 2 and 3 need groups of at least 2 nodes, and " + nodes + " node(s) " + (autoGroup
              ? "have no divisor from 2 to " + (GROUP_LIMIT - 1) + ": use levels 1 and 4 only, or another number of ranks"
              : "are in groups of " + groupSize));
    }
    return new FtiRules(schedule, nodeSize, groupSize, number(CheckpointConfig.FTI_BLOCK_KILOBYTES, 1, MOST_BLOCK_KILOBYTES),
        nodesAreHosts(), number(CheckpointConfig.FTI_VERBOSITY, 1, MOST_VERBOSITY));
  }

  private static Schedule levels(String text) {
    Schedule schedule = Schedule.parse(CheckpointConfig.FTI_LEVELS.property(), text);
    int last = 0;
    for (String name : schedule.names()) {
      int level = name.length() == 1 ? name.charAt(0) - '0' : 0;
      if (level <= last || level > LEVELS) {
        throw refused(CheckpointConfig.FTI_LEVELS, "FTI's levels are 1 to " + LEVELS + ", each at most once, in this order");
      }
      last = level;
    }
    return schedule;
  }

  private static boolean has(Schedule schedule, int level) {
    return schedule.names().contains(String.valueOf(level));
  }

  /**
   * The level of the n-th save, from 1. The n-th and the next go to the two places ({@link FtiEngine}); both get the same level,
   * so that none lacks a higher level while the other one is being written.
   */
  int levelOf(long save) {
    return numberOf(schedule.levelOf((save + 1) / 2));
  }

  int highestLevel() {
    return numberOf(schedule.names().size() - 1);
  }

  private int numberOf(int place) {
    return schedule.names().get(place).charAt(0) - '0';
  }

  private static boolean nodesAreHosts() {
    String nodes = CheckpointConfig.FTI_NODES.value();
    if (nodes.equals("ranks") || nodes.equals("hosts")) {
      return nodes.equals("hosts");
    }
    throw refused(CheckpointConfig.FTI_NODES, "expected ranks or hosts");
  }

  /** The largest divisor up to the usual size, or the smallest above it; 1: there is none. */
  private static int usualGroup(int nodes) {
    for (int size = USUAL_GROUP; size > 1; size--) {
      if (nodes % size == 0) {
        return size;
      }
    }
    for (int size = USUAL_GROUP + 1; size < GROUP_LIMIT; size++) {
      if (nodes % size == 0) {
        return size;
      }
    }
    return 1;
  }

  private static int number(CheckpointConfig setting, int least, int most) {
    long value = setting.longValue();
    if (value < least || value > most) {
      throw refused(setting, "expected " + (most == Integer.MAX_VALUE ? least + " or more" : least + " to " + most));
    }
    return (int) value;
  }

  private static IllegalArgumentException refused(CheckpointConfig setting, String why) {
    return new IllegalArgumentException("-D" + setting.property() + "=" + setting.value() + ": " + why);
  }

  int nodes(int ranks) {
    return ranks / nodeSize;
  }

  /**
   * Checks the hosts, where nodes are hosts: each must have as many ranks as a node. FTI writes past its tables where there are
   * more hosts.
   *
   * @param hosts of every rank, by any number
   * @throws CheckpointException naming the rule
   */
  void checkHosts(long[] hosts) {
    if (!byHost) {
      return;
    }
    for (int rank = 0; rank < hosts.length; rank++) {
      int together = 0;
      for (long host : hosts) {
        together += host == hosts[rank] ? 1 : 0;
      }
      if (together != nodeSize) {
        throw new CheckpointException("-D" + CheckpointConfig.FTI_NODES.property() + "=hosts needs exactly "
            + CheckpointConfig.FTI_NODE_SIZE.property() + "=" + nodeSize + " rank(s) on each host, and " + together
            + " are on that of rank " + rank + " (after a recovery: a spare runs on another host than the process that it "
            + "replaces). -D" + CheckpointConfig.FTI_NODES.property() + "=ranks does not depend on hosts");
      }
    }
  }

  /** Describes which levels outlive which losses, given the host of every rank by any number. */
  String redundancy(long[] hosts) {
    boolean partnersApart = true;
    boolean halvesApart = true;
    int nodes = nodes(hosts.length);
    for (int node = 0; node < nodes; node++) {
      int first = node / groupSize * groupSize;
      int together = 0;
      for (int other = first; other < first + groupSize; other++) {
        together += hosts[other * nodeSize] == hosts[node * nodeSize] ? 1 : 0;
      }
      int partner = first + (node - first + 1) % groupSize;
      partnersApart &= hosts[partner * nodeSize] != hosts[node * nodeSize];
      halvesApart &= 2 * together <= groupSize;
    }
    return "levels " + String.join(", ", schedule.names()) + "; " + nodes + " node(s) of " + nodeSize + " rank(s), groups of "
        + groupSize + ". Outlived are: the failure of processes that are replaced on their own hosts, at all levels"
        + (grouped(true, partnersApart, halvesApart).isEmpty()
            ? "" : "; the loss of a host, at " + grouped(true, partnersApart, halvesApart))
        + (has(schedule, LEVELS) ? "; the loss of all hosts, at L4" : "; not the loss of all hosts: no L4")
        + (grouped(false, partnersApart, halvesApart).isEmpty() ? "" : ". Not the loss of a host at "
            + grouped(false, partnersApart, halvesApart) + ": ranks of a group run on the same one");
  }

  /** The levels among 2 and 3 that are used and outlive the loss of a host, or do not. */
  private String grouped(boolean outlives, boolean partnersApart, boolean halvesApart) {
    String two = has(schedule, 2) && partnersApart == outlives ? "L2" : "";
    String three = has(schedule, 3) && halvesApart == outlives ? "L3" : "";
    return two + (two.isEmpty() || three.isEmpty() ? "" : " and ") + three;
  }
}
