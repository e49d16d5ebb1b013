// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.app;

import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The options that all proxy applications have: a picocli mixin. */
public final class RunOptions extends ReportOptions {
  @Option(names = "--checkpoint-every", paramLabel = "C", defaultValue = "10",
      description = "iterations between checkpoints; 0: never (10)")
  private int checkpointEvery;

  @Option(names = "--progress", description = "show a progress bar")
  private boolean progress;

  @Option(names = "--stamps", paramLabel = "FOLDER",
      description = "where each process notes when it began iterations, for kintsugi experiment: a folder that all hosts see")
  private Path stamps;

  @Override
  public void check() {
    super.check();
    requireAtLeast(0, checkpointEvery, "--checkpoint-every");
    if (stamps != null && !Files.isDirectory(stamps)) {
      throw refuseHere("--stamps " + stamps + " is not a folder; a folder that can be written to would do");
    }
  }

  /** The folder for {@link Stamps}; null: nothing is noted. */
  Path stamps() {
    return stamps;
  }

  /** Whether a checkpoint is due after this iteration. */
  public boolean isCheckpointDue(long iteration) {
    return checkpointEvery > 0 && iteration % checkpointEvery == 0;
  }

  /** Whether a progress bar is wanted. */
  public boolean progress() {
    return progress;
  }
}
