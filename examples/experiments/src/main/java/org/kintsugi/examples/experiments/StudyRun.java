// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;

/** One run of an experiment: one command of {@code jmpirun}, and what is read when it has ended. */
public interface StudyRun {
  /** The name that distinguishes this run from all others, also after the experiment was stopped. */
  String key();

  /** Writes what is planned into the run's line of the log. */
  void describe(ObjectNode line);

  /** After which a start of the job counts as hung. */
  int limitSeconds();

  /** Why it cannot be made on this machine, in a line; null: it can. */
  String refusal(Launcher launcher, Path folder) throws IOException, InterruptedException;

  /**
   * Runs the job, with all that it needs beside MPI, which has ended when this returns.
   *
   * @param line of the log, which gets the command
   * @return its exit code; null: jmpirun itself did not end in time
   */
  Integer start(Launcher launcher, Path folder, ObjectNode line) throws IOException, InterruptedException;

  /**
   * Reads from the run's folder what the job has written, in {@code output} what it has printed.
   *
   * @param line of the log, where the figures go
   * @return why the run has failed although the job ended with 0; null: it has not
   */
  String measure(Path folder, ObjectNode line) throws IOException;
}
