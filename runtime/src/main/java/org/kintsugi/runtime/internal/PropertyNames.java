// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime.internal;

/**
 * Names of the system properties by which the launcher tells ranks about their job. {@link org.kintsugi.runtime.JobConfig} says
 * what each does, and lists those that only ranks read.
 */
public final class PropertyNames {
  /** How many of the launched processes are spares. */
  public static final String SPARES = "kintsugi.spares";

  /** How many of the launched processes do the work: those that are no spares. */
  public static final String RANKS = "kintsugi.ranks";

  /** Whether new processes are started in the place of those that have died. */
  public static final String REFILL = "kintsugi.refill";

  /** False: the job was started without fault tolerance, as the user wants it. */
  public static final String FAULT_TOLERANCE = "kintsugi.fault.tolerance";

  /** Fault injection: specifications ({@link org.kintsugi.runtime.KillSpec}) separated by semicolons. */
  public static final String KILL = "kintsugi.kill";

  /** How many times the job has been started again. */
  public static final String RESTARTS = "kintsugi.restarts";

  /** The flavour of the job's MPI. */
  public static final String FLAVOUR = "kintsugi.flavour";

  /** The prefix of the job's MPI. */
  public static final String MPI_HOME = "kintsugi.mpi.home";

  /** The job's private folder on the launcher's host; ranks leave {@link JobFiles} in it. */
  public static final String JOB_DIR = "kintsugi.job.dir";

  /** The job's name, by which the launcher knows the lines that ranks print for it. Everybody may read it. */
  public static final String JOB_NAME = "kintsugi.job.name";

  /**
   * Where the launcher listens, as {@code host:port} with commas between: ranks report to it where they are
   * ({@link org.kintsugi.runtime.internal.protocol.Line}).
   */
  public static final String LAUNCHER_ADDRESS = "kintsugi.launcher.address";

  /**
   * Whether ranks report each collective to the launcher before they call it, to be compared
   * ({@link org.kintsugi.runtime.internal.protocol.CollectiveCall}).
   */
  public static final String CHECK = "kintsugi.check";

  /** Where ranks write down what they save, for a proof that the program survives failures. */
  public static final String PROOF_DIR = "kintsugi.proof.dir";

  /** The last iteration of a proof. */
  public static final String PROOF_UNTIL = "kintsugi.proof.until";

  /** Whether ranks write events for JDK Flight Recorder. */
  public static final String RECORD = "kintsugi.record";

  /** From which duration on a call of MPI is an event of its own. */
  public static final String RECORD_CALLS_MICROS = "kintsugi.record.calls.micros";

  /** The folder of the native libraries, unpacked. */
  public static final String LIBRARY_PATH = "kintsugi.library.path";

  /** The folder of the installation that the launcher's script is in; a checkout counts as one that has no natives. */
  public static final String HOME = "kintsugi.home";

  /** The variable of the locale that the launcher's script has set, because the user's locale knows ASCII only. */
  public static final String LOCALE = "kintsugi.locale";

  private PropertyNames() {}
}
