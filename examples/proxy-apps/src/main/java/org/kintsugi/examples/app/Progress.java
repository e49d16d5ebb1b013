// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.app;

import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.kintsugi.reinit.Run;

/**
 * A progress bar that outlives rollbacks: it is made when the process first has something to show, and after a rollback it
 * goes back with the program. Nothing is drawn while the process is not the one that shows progress.
 */
public final class Progress implements AutoCloseable {
  private static final int UPDATE_MILLIS = 500;
  private static final int WIDTH = 100;

  private final boolean wanted;
  private final String name;
  private final long steps;
  private ProgressBar bar;

  /** Shows the progress through a number of steps under a name, if that is wanted. */
  public Progress(boolean wanted, String name, long steps) {
    this.wanted = wanted;
    this.name = name;
    this.steps = steps;
  }

  /** Says how far the program is and after how many recoveries; rank 0 shows it. Costs nothing if it is not wanted. */
  public void at(Run run, long step, Work work) {
    if (!wanted || run.world().rank() != 0) {
      return;
    }
    if (bar == null) {
      bar = new ProgressBarBuilder().setTaskName(name).setInitialMax(steps).setUpdateIntervalMillis(UPDATE_MILLIS)
          .setStyle(ProgressBarStyle.ASCII)
          // Lines, not a bar that is drawn over: mpirun (all of 5.0) keeps what has no end of line until the program ends.
          .setConsumer(new DelegatingProgressBarConsumer(System.err::println, WIDTH)).build();
    }
    bar.stepTo(step);
    int recoveries = run.recoveries().size();
    bar.setExtraMessage(
        " " + work.progress() + (recoveries == 0 ? "" : ", recoveries: " + recoveries));
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
