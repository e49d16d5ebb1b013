// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.app;

import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that all proxy applications have: a picocli mixin. */
public final class RunOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec program;

  @Option(names = "--json", paramLabel = "FILE",
      description = "where rank 0 writes the result: in a folder that all see, as a spare may become rank 0")
  private Path json;

  @Option(names = "--checkpoint-every", paramLabel = "C", defaultValue = "10",
      description = "iterations between checkpoints; 0: never (10)")
  private int checkpointEvery;

  @Option(names = "--progress", description = "show a progress bar")
  private boolean progress;

  /** Finds mistakes before the work starts. */
  public void check() {
    if (checkpointEvery < 0) {
      throw new ParameterException(program.commandLine(), "--checkpoint-every " + checkpointEvery + " is negative");
    }
    Path folder = json == null ? null : json.toAbsolutePath().getParent();
    if (folder != null && !Files.isDirectory(folder)) {
      throw new ParameterException(program.commandLine(), "--json " + json + ": there is no folder " + folder);
    }
  }

  /** Fails with the name of the argument unless it is positive. */
  public void requirePositive(int value, String name) {
    if (value <= 0) {
      throw new ParameterException(program.commandLine(), name + " " + value + " is not positive");
    }
  }

  /** Where the result goes; null: nowhere. */
  public Path json() {
    return json;
  }

  /** Whether a checkpoint is due behind this iteration. */
  public boolean isCheckpointDue(long iteration) {
    return checkpointEvery > 0 && iteration % checkpointEvery == 0;
  }

  /** Whether a progress bar is wanted. */
  public boolean progress() {
    return progress;
  }
}
