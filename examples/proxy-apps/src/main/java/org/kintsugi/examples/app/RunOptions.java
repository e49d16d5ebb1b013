// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.app;

import picocli.CommandLine.Option;

/** The options that all proxy applications have: a picocli mixin. */
public final class RunOptions extends ReportOptions {
  @Option(names = "--checkpoint-every", paramLabel = "C", defaultValue = "10",
      description = "iterations between checkpoints; 0: never (10)")
  private int checkpointEvery;

  @Option(names = "--progress", description = "show a progress bar")
  private boolean progress;

  @Override
  public void check() {
    super.check();
    requireAtLeast(0, checkpointEvery, "--checkpoint-every");
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
