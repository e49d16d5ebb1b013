// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.app;

import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line options of every application that reports a result: a picocli mixin. */
public class ReportOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec program;

  @Option(names = {"-h", "--help"}, usageHelp = true, description = "this help")
  private boolean help;

  @Option(names = "--json", paramLabel = "FILE",
      description = "where rank 0 writes the result: in a folder that all see, as a spare may become rank 0")
  private Path json;

  /** Finds mistakes before the work starts. */
  public void check() {
    if (json == null) {
      return;
    }
    String refusal = OutputFile.refusal(json);
    if (refusal != null) {
      throw refuseHere("--json " + json + ": " + refusal + "; a file's name in a folder that can be written to would do");
    }
  }

  /**
   * Says why arguments cannot work: once, on rank 0.
   *
   * @return the exit code, of all ranks
   */
  public static int tell(ParameterException refused, int rank) {
    if (rank == 0) {
      System.err.println(refused.getMessage());
      System.err.println("--help tells what the arguments are");
    }
    return refused.getCommandLine().getCommandSpec().exitCodeOnInvalidInput();
  }

  /** For arguments that cannot work. @param why names the argument and its value, and says what would do */
  public final ParameterException refuse(String why) {
    return new ParameterException(program.commandLine(), why);
  }

  /** For what this host lacks, and others may have. @param why as for {@link #refuse} */
  public final ParameterException refuseHere(String why) {
    return new MissingHereException(program.commandLine(), why);
  }

  /** Fails with the name of the argument unless it is as great as it must be. */
  public final void requireAtLeast(int least, int value, String name) {
    if (value < least) {
      throw refuse(name + " " + value + " is less than " + least);
    }
  }

  /** Fails with the name of the argument unless it is positive. */
  public final void requirePositive(int value, String name) {
    if (value <= 0) {
      throw refuse(name + " " + value + " is not positive");
    }
  }

  /** The file for the result; null: none. */
  public final Path json() {
    return json;
  }
}
