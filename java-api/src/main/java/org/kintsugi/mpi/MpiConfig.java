// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.runtime.internal.PropertyNames;

/**
 * Every system property that Kintsugi reads, with its default and its effect.
 *
 * <p>{@code jmpirun} sets those that describe the job; a job script that calls plain {@code mpirun} sets them itself
 * ({@code jmpirun --dry-run} prints the line).
 */
public enum MpiConfig {
  /** How many of the launched processes are spares: the highest ranks. */
  SPARES(PropertyNames.SPARES, "0"),
  /**
   * Whether new processes are started while the job runs, in the place of those that have died, so that there are always as many
   * spares as at the start: {@code jmpirun --refill}, which has them started and knows who is alive. For the flavour ulfm.
   */
  REFILL(PropertyNames.REFILL, "false"),
  /** Fault injection: specifications separated by {@code ;}, see {@link org.kintsugi.inject.FaultPlan}. */
  KILL(PropertyNames.KILL, ""),
  /** How many times {@code jmpirun} has already started this job again. */
  RESTARTS(PropertyNames.RESTARTS, "0"),
  /** The flavour that the launcher found: {@code ulfm} or {@code reinit}; empty: not told. */
  FLAVOUR(PropertyNames.FLAVOUR, ""),
  /**
   * The prefix of the Open MPI that the job was started with, set by {@code jmpirun}: {@link Mpi#init} refuses another one's
   * library. Empty: that of the mpirun that has started this process.
   */
  MPI_HOME(PropertyNames.MPI_HOME, ""),
  /** The job's private folder on this node, made and removed by the launcher; empty: none (a job on several hosts). */
  JOB_DIR(PropertyNames.JOB_DIR, ""),
  /** Set by {@code jmpirun}, which knows by it the lines that ranks print for it; empty: the job was not started by it. */
  LAUNCHER_KEY(PropertyNames.LAUNCHER_KEY, ""),
  /** Set by {@code jmpirun}: where it listens, to be told where ranks wait when a job stalls; empty: nobody asks. */
  LAUNCHER_ADDRESS(PropertyNames.LAUNCHER_ADDRESS, ""),
  /**
   * Set by {@code jmpirun --check}: whether each rank tells {@code jmpirun} which collective it is about to call on which
   * communicator, and waits until the others have told the same; the first difference ends the job with a table. Handles that are
   * left open are reported as with {@link #LEAKS}.
   */
  CHECK(PropertyNames.CHECK, "false"),
  /** After how many seconds in {@code MPI_Init} a process takes it for hung and ends; see {@link Mpi#init}. */
  INIT_TIMEOUT_SECONDS("kintsugi.init.timeout.seconds", "300"),
  /**
   * After how many seconds in {@code MPI_Finalize} a process that ends because of an exception takes it for hung, says what the
   * exception was, and ends; 0: never. See {@link Mpi#close}.
   */
  FINALIZE_TIMEOUT_SECONDS("kintsugi.finalize.timeout.seconds", "60"),
  /**
   * After how many seconds in a recovery, or in the end of MPI before another start of the job, a process takes it for hung and
   * ends the job for a restart. To be longer than the longest time that a rank spends without an MPI call and without {@code
   * run.poll()}. With policy {@code SPAWN}: longer than a new process needs to its {@code Reinit.run}.
   */
  RECOVERY_TIMEOUT_SECONDS("kintsugi.recovery.timeout.seconds", "60"),
  /**
   * Whether a second process shares each rank's memory, so that a death is known before the memory is taken apart (3 ms for a
   * small JVM, 40 ms for each GiB). Lists of processes show it as {@code kintsugi-memory}.
   */
  UNDERTAKER("kintsugi.undertaker", "true"),
  /**
   * Whether a handle that is garbage, or still open at the end of its epoch or of MPI, is reported on standard error with the
   * place where it was made, once for each place. For finding leaks: every handle that is made takes some microseconds more,
   * and the end of MPI collects garbage.
   */
  LEAKS("kintsugi.leaks", "false"),
  /** The most bytes that idle staging blocks for arrays may hold. */
  STAGING_BYTES("kintsugi.staging.bytes", String.valueOf(16L << 20)),
  /**
   * How long a waiting spare sleeps between two looks, in microseconds. The launcher's notice of a death wakes it at once;
   * the end of the job, and deaths where such notices cannot be had, it learns by looking.
   */
  SPARE_POLL_MICROS("kintsugi.spare.poll.micros", "1000"),
  /** The folder for checkpoints that outlive the job: all nodes see it, and no other job uses it at the same time. */
  CHECKPOINT_DIR("kintsugi.checkpoint.dir", "checkpoints"),
  /** The folder on each node for checkpoints that outlive processes (FTI, SCR); all nodes have it under this name. */
  CHECKPOINT_LOCAL_DIR("kintsugi.checkpoint.local.dir", nodeFolder()),
  /**
   * Where {@code run.checkpoint()} keeps versions: {@code memory} (own and a partner's, outlives any one process or node between
   * two saves), {@code xor} (parity over a group, the same for a fraction of the memory), {@code file} (in {@link
   * #CHECKPOINT_DIR}, outlives the job), or several as levels with how often they are used, for instance {@code
   * memory,xor:4,file:20}: every fourth save goes to xor, every twentieth to a file. {@code fti}, {@code scr}: the library FTI or
   * SCR keeps them.
   */
  CHECKPOINT_STORE("kintsugi.checkpoint.store", "memory"),
  /** How many ranks share a parity at level {@code xor}, where the nodes allow it: parity takes one part in so many less one. */
  CHECKPOINT_XOR_GROUP("kintsugi.checkpoint.xor.group", "8"),
  /**
   * Whether a copy of the protected data is kept from the first {@link org.kintsugi.checkpoint.Checkpoint#restore} on until there
   * is a version: with it the data are as they were if a failure comes before the first save. It takes as much memory as the
   * data.
   */
  CHECKPOINT_INITIAL("kintsugi.checkpoint.initial", "true"),
  /** The mean time between failures of the job, in seconds, for {@link org.kintsugi.checkpoint.Checkpoint#needed}; a day. */
  CHECKPOINT_MTBF_SECONDS("kintsugi.checkpoint.mtbf.seconds", "86400"),
  /**
   * How SCR keeps versions safe from the loss of a node: {@code SINGLE} (not at all), {@code PARTNER} (a copy on another node),
   * {@code XOR} (parity over a set of nodes, one of which may be lost) or {@code RS} (Reed-Solomon, two of them).
   */
  SCR_TYPE("kintsugi.scr.type", "XOR"),
  /** Every how many saves SCR copies a version to {@link #CHECKPOINT_DIR}; 0: never, versions are on the nodes only. */
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
  FTI_KEEP("kintsugi.fti.keep", "false"),
  /** Where persistent communicators keep messages: {@code memory}, {@code file}, {@code jdbc}, {@code scr}, or a class's name. */
  PERSIST_STORE("kintsugi.persist.store", "memory"),
  /** The folder of the stores {@code file}, {@code jdbc} (embedded) and {@code scr}; all nodes see it. */
  PERSIST_DIR("kintsugi.persist.dir", "persist"),
  /** The database of the store {@code jdbc}; empty: an embedded one in {@link #PERSIST_DIR}. */
  PERSIST_URL("kintsugi.persist.url", ""),
  /**
   * What is lost together with this process, in memory: persistent communicators keep copies in another such domain (a rack,
   * say). Empty: its node.
   */
  PERSIST_DOMAIN("kintsugi.persist.domain", ""),
  /** What a run does when spares run out: {@code SPAWN}, {@code SHRINK} or {@code RESTART}. */
  REINIT_POLICY("kintsugi.reinit.policy", "RESTART"),
  /**
   * Set by Kintsugi itself, in processes that policy {@code SPAWN} adds: one that cannot be taken in, as another process has died
   * meanwhile, ends by SIGKILL, and the job goes on without it.
   */
  SPAWNED("kintsugi.spawned", "false"),
  /** Set by Kintsugi itself, in processes that are started because of {@link #REFILL}: a number from 1 on; 0: by mpirun. */
  STARTED("kintsugi.started", "0");

  private final String property;
  private final String defaultValue;

  MpiConfig(String property, String defaultValue) {
    this.property = property;
    this.defaultValue = defaultValue;
  }

  private static String nodeFolder() {
    return System.getProperty("java.io.tmpdir") + "/kintsugi-" + System.getProperty("user.name");
  }

  /**
   * The name of the system property.
   *
   * @return for instance {@code kintsugi.spares}, to be set with {@code -D}
   */
  public String property() {
    return property;
  }

  /**
   * The value in force: the system property, or the default.
   *
   * @return the text, without blanks around it
   */
  public String value() {
    return System.getProperty(property, defaultValue).trim();
  }

  /**
   * The value in force as true or false.
   *
   * @return true or false
   * @throws IllegalArgumentException if it is neither
   */
  public boolean booleanValue() {
    return switch (value()) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException("-D" + property + "=" + value() + ": expected true or false");
    };
  }

  /**
   * The value in force as a number.
   *
   * @return zero or greater
   * @throws IllegalArgumentException if it is not a whole number that is zero or greater
   */
  public long longValue() {
    String value = value();
    try {
      long number = Long.parseLong(value);
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // said below, once for both
    }
    throw new IllegalArgumentException("-D" + property + "=" + value + ": expected a whole number, zero or greater");
  }
}
