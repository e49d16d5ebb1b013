// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime;

import org.kintsugi.runtime.internal.PropertyNames;

/**
 * The system properties that describe a job and how it uses MPI, with their defaults and effects. Packages above this one have
 * settings of their own.
 *
 * <p>{@code jmpirun} sets those that describe the job; a job script that calls plain {@code mpirun} sets them itself
 * ({@code jmpirun --dry-run} prints the line).
 */
public enum JobConfig implements Setting {
  /** How many of the launched processes are spares: the highest ranks. */
  SPARES(PropertyNames.SPARES, "0"),
  /**
   * How many of the launched processes do the work, told to those that are started later, too, which see no others at first. Set
   * by {@code jmpirun}, or in processes that policy {@code SPAWN_TOGETHER} adds; 0: it was not.
   */
  RANKS(PropertyNames.RANKS, "0"),
  /**
   * Whether new processes are started while the job runs, in place of those that have died, so that the number of spares stays
   * the same. Set by {@code jmpirun}, which knows which processes are alive and orders new ones, unless {@code --refill=false};
   * under a resource manager with {@code --refill} only. For the flavour ulfm.
   */
  REFILL(PropertyNames.REFILL, "false"),
  /**
   * Whether the job is to outlive the failure of a process. Set to false by {@code jmpirun --no-fault-tolerance}: a run of Reinit
   * enters the body once then, and nothing protects it.
   */
  FAULT_TOLERANCE(PropertyNames.FAULT_TOLERANCE, "true"),
  /** Fault injection: specifications separated by {@code ;}, as {@code jmpirun --kill} has them. */
  KILL(PropertyNames.KILL, ""),
  /** How many times {@code jmpirun} has already started this job again. */
  RESTARTS(PropertyNames.RESTARTS, "0"),
  /** The flavour that the launcher found: {@code ulfm} or {@code reinit}; empty: not known. */
  FLAVOUR(PropertyNames.FLAVOUR, ""),
  /**
   * The prefix of the Open MPI that the job was started with, set by {@code jmpirun}: {@code Mpi.init} refuses another one's
   * library. Empty: that of the mpirun that has started this process.
   */
  MPI_HOME(PropertyNames.MPI_HOME, ""),
  /** The job's private folder on this node, made and removed by the launcher; empty: none (a job on several hosts). */
  JOB_DIR(PropertyNames.JOB_DIR, ""),
  /** Set by {@code jmpirun}: the job's name, which marks the lines that ranks print for it; empty: it did not start the job. */
  JOB_NAME(PropertyNames.JOB_NAME, ""),
  /**
   * Set by {@code jmpirun}: the address where it listens for reports of where ranks wait when a job stalls; empty: it does not.
   */
  LAUNCHER_ADDRESS(PropertyNames.LAUNCHER_ADDRESS, ""),
  /**
   * Set by {@code jmpirun --check}: whether each rank reports to {@code jmpirun} which collective it is about to call on which
   * communicator, and waits until the others have reported the same; the first difference ends the job with a table. Handles
   * that are left open are reported as with {@link #LEAKS}.
   */
  CHECK(PropertyNames.CHECK, "false"),
  /**
   * Set by {@code jmpirun --prove}: the folder in which each process writes down its iterations and the checksums of what it
   * saves; empty: it does not.
   */
  PROOF_DIR(PropertyNames.PROOF_DIR, ""),
  /** Set by {@code jmpirun --prove-until}: the last iteration, after which the run ends on all ranks. */
  PROOF_UNTIL(PropertyNames.PROOF_UNTIL, String.valueOf(Long.MAX_VALUE)),
  /**
   * Whether this process writes events for JDK Flight Recorder: phases, the steps of recoveries, epochs, iterations, saves,
   * restores, and long calls of MPI. Set by {@code jmpirun} with {@code --record}, and with a recording among the JVM's options.
   * Without a recording the events go nowhere, but the time of each blocking call of MPI is taken.
   */
  RECORD(PropertyNames.RECORD, "false"),
  /**
   * With {@link #RECORD}: the microseconds from which on a blocking call of MPI is an event of its own. Shorter calls only count
   * for the time in MPI that the events of iterations have.
   */
  RECORD_CALLS_MICROS(PropertyNames.RECORD_CALLS_MICROS, "1000"),
  /** The seconds after which {@code MPI_Init} counts as hung, and the process ends; see {@code Mpi.init}. */
  INIT_TIMEOUT_SECONDS("kintsugi.init.timeout.seconds", "300"),
  /**
   * The seconds after which {@code MPI_Finalize} counts as hung in a process that ends because of an exception: it prints the
   * exception, and ends; 0: never. See {@code Mpi.close}.
   */
  FINALIZE_TIMEOUT_SECONDS("kintsugi.finalize.timeout.seconds", "60"),
  /**
   * The seconds after which a recovery counts as hung, or the end of MPI before the job is started again: the process ends the
   * job for a restart. Must be longer than the longest time that a rank spends without an MPI call and without {@code
   * run.poll()}; with policy {@code SPAWN}, longer than a new process needs to its {@code Reinit.run}.
   */
  RECOVERY_TIMEOUT_SECONDS("kintsugi.recovery.timeout.seconds", "60"),
  /**
   * Whether a second process shares each rank's memory, so that a failure is detected before the
   * system frees the memory (3 ms for a small JVM, 40 ms for each GiB). Lists of processes show it
   * as {@code kintsugi-memory}.
   */
  MEMORY_HOLDER("kintsugi.memory.holder", "true"),
  /**
   * Whether a handle that is garbage, or still open at the end of its epoch or of MPI, is reported on standard error with the
   * place where it was made, once for each place. For finding leaks: every handle that is made takes some microseconds more,
   * and the end of MPI collects garbage.
   */
  LEAKS("kintsugi.leaks", "false"),
  /** The most bytes that idle staging blocks for arrays may hold. */
  STAGING_BYTES("kintsugi.staging.bytes", String.valueOf(16L << 20)),
  /**
   * Set by Kintsugi itself, in processes that policy {@code SPAWN} adds. Such a process ends by
   * SIGKILL if it cannot be admitted, because another process has died meanwhile, and the job goes
   * on without it.
   */
  SPAWNED("kintsugi.spawned", "false"),
  /** Set by Kintsugi itself, in processes that are started because of {@link #REFILL}: a number from 1 on; 0: by mpirun. */
  STARTED("kintsugi.started", "0");

  private final String property;
  private final String defaultValue;

  JobConfig(String property, String defaultValue) {
    this.property = property;
    this.defaultValue = defaultValue;
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
