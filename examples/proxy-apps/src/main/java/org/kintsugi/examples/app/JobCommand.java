// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.app;

import org.kintsugi.mpi.Mpi;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;

/** A command line that every process of a job has: help, and what is wrong with the arguments, are printed by rank 0 alone. */
public final class JobCommand {
  /** What Open MPI's launchers tell each process; not set: the program was started by java alone. */
  private static final String RANK = "OMPI_COMM_WORLD_RANK";

  private JobCommand() {}

  /** Runs the program, and ends the process. */
  public static void run(Object program, String... args) {
    run(new CommandLine(program), args);
  }

  /** The same, of a command line that was set up before. */
  public static void run(CommandLine program, String... args) {
    System.exit(program.setParameterExceptionHandler(JobCommand::refuse).setExecutionStrategy(JobCommand::execute).execute(args));
  }

  /** Inside MPI: mpirun ends the job as soon as a process fails before MPI_Init, and rank 0 might not have said why yet. */
  private static int refuse(ParameterException refused, String... args) {
    try (Mpi mpi = Mpi.init()) {
      return ReportOptions.tell(refused, mpi.world().rank());
    }
  }

  private static int execute(ParseResult parsed) {
    boolean another = !System.getenv().getOrDefault(RANK, "0").equals("0");
    return another && parsed.isUsageHelpRequested() ? 0 : new RunLast().execute(parsed);
  }
}
