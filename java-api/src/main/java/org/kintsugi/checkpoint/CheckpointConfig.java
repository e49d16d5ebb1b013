// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint;

import org.kintsugi.runtime.Setting;

/** The system properties that say where checkpoints are kept, and how. Job scripts set them with {@code -D}. */
public enum CheckpointConfig implements Setting {
  /** The folder for checkpoints that outlive the job: all nodes see it, and no other job uses it at the same time. */
  DIR("kintsugi.checkpoint.dir", "checkpoints"),
  /**
   * Of a program with several runs: for how many finished runs versions are kept in files. When another run ends, those of the
   * oldest are removed; a job that is started again then computes these runs once more.
   */
  KEPT_RUNS("kintsugi.checkpoint.kept.runs", "16"),
  /** The folder on each node for checkpoints that outlive processes (FTI, SCR); all nodes have it under this name. */
  LOCAL_DIR("kintsugi.checkpoint.local.dir", nodeFolder()),
  /**
   * The store of {@code run.checkpoint()}: {@code memory} (own and a partner's, outlives any one process or node between two
   * saves), {@code xor} (parity over a group, the same for a fraction of the memory), {@code file} (in {@link #DIR}, outlives
   * the job), or several as levels with how often they are used, for instance {@code memory,xor:4,file:20}: every fourth save
   * goes to xor, every twentieth to a file. {@code fti}, {@code scr}: the library FTI or SCR keeps the versions.
   */
  STORE("kintsugi.checkpoint.store", "memory"),
  /**
   * The number n of ranks that share a parity at level {@code xor}, if the nodes allow it. The
   * parity adds one part in n - 1 to the memory for a version.
   */
  XOR_GROUP("kintsugi.checkpoint.xor.group", "8"),
  /**
   * Whether a copy of the protected data is kept from the first {@link Checkpoint#restore} on until there
   * is a version: with it the data are as they were if a failure comes before the first save. It takes as much memory as the
   * data.
   */
  INITIAL("kintsugi.checkpoint.initial", "true"),
  /** The mean time between failures of the job, in seconds, for {@link Checkpoint#needed}; a day. */
  MTBF_SECONDS("kintsugi.checkpoint.mtbf.seconds", "86400"),
  /**
   * How SCR keeps versions safe from the loss of a node: {@code SINGLE} (not at all), {@code PARTNER} (a copy on another node),
   * {@code XOR} (parity over a set of nodes, one of which may be lost) or {@code RS} (Reed-Solomon, two of them).
   */
  SCR_TYPE("kintsugi.scr.type", "XOR"),
  /** Every how many saves SCR copies a version to {@link #DIR}; 0: never, versions are on the nodes only. */
  SCR_FLUSH("kintsugi.scr.flush", "0"),
  /**
   * Engine FTI: which of its levels a save goes to. {@code 1,2:2,3:6,4:12}: level 2 for 2 of 4 saves (there are two places for
   * versions, used in turn, and successive saves to both go to the same level), and so on; {@code auto}: that, or levels 1 and 4
   * where the ranks cannot be grouped.
   */
  FTI_LEVELS("kintsugi.fti.levels", "auto"),
  /** Engine FTI: how many ranks make up one of its nodes. */
  FTI_NODE_SIZE("kintsugi.fti.node.size", "1"),
  /** Engine FTI: how many nodes make up a group, the unit of levels 2 and 3; {@code auto}: 4 if that divides them, or near it. */
  FTI_GROUP_SIZE("kintsugi.fti.group.size", "auto"),
  /**
   * Engine FTI: what its nodes are. {@code ranks}: successive ranks, wherever they run; {@code hosts}: the hosts, which must then
   * carry equally many ranks, after a recovery as well.
   */
  FTI_NODES("kintsugi.fti.nodes", "ranks"),
  /** Engine FTI: in pieces of how many kilobytes files are sent and encoded, 1 to 2048. */
  FTI_BLOCK_KILOBYTES("kintsugi.fti.block.kilobytes", "1024"),
  /** Engine FTI: how much it says, on standard output. 1 all, 2 progress, 3 warnings. */
  FTI_VERBOSITY("kintsugi.fti.verbosity", "3"),
  /** Engine FTI: whether checkpoints stay when the job has ended well, for the next job with the same folders. */
  FTI_KEEP("kintsugi.fti.keep", "false");

  private final String property;
  private final String defaultValue;

  CheckpointConfig(String property, String defaultValue) {
    this.property = property;
    this.defaultValue = defaultValue;
  }

  private static String nodeFolder() {
    return System.getProperty("java.io.tmpdir") + "/kintsugi-" + System.getProperty("user.name");
  }

  @Override
  public String property() {
    return property;
  }

  @Override
  public String defaultValue() {
    return defaultValue;
  }
}
