// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime.internal;

/** Names of environment variables that users set, or that the launcher sets for ranks. */
public final class VariableNames {
  /** The prefix of the Open MPI to use. */
  public static final String MPI_HOME = "MPI_HOME";

  /** The prefix of the Reinit++ fork. */
  public static final String REINIT_HOME = "REINIT_HOME";

  /** The folder of the user's data; Kintsugi's own is in it. */
  public static final String XDG_DATA_HOME = "XDG_DATA_HOME";

  /** With the value {@code none}: the fork, FTI and SCR are not looked for, as on a machine that does not have them. */
  public static final String OPTIONAL_NATIVES = "KINTSUGI_OPTIONAL_NATIVES";

  /** The folder of the native libraries, as {@link PropertyNames#LIBRARY_PATH} has it, which wins over this. */
  public static final String LIBRARY_PATH = "KINTSUGI_LIBRARY_PATH";

  /** Marks the processes of a job on the launcher's host. */
  public static final String JOB = "KINTSUGI_JOB";

  /**
   * The {@link JobSecret} of a job, for its processes. Never on a command line: mpirun gets the name alone ({@code -x NAME}), and
   * takes the value from its own environment.
   */
  public static final String JOB_SECRET = "KINTSUGI_JOB_SECRET";

  /** The URL of the database of persistent communicators, which may have a password. */
  public static final String PERSIST_URL = "KINTSUGI_PERSIST_URL";

  private VariableNames() {}
}
