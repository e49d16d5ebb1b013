// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments.report;

import java.io.IOException;
import java.nio.file.Path;
import org.kintsugi.examples.app.OutputFile;

/** An experiment's report: one HTML file without outside references, and the same figures as CSV. */
public interface StudyReport {
  /** Whether all runs that this machine can make have ended, with the same answers, and there were any. */
  boolean isAllRight();

  /** In a line. */
  String summary();

  /** To read. */
  Page page();

  /** As CSV. */
  String table();

  /** Writes both files, each under a temporary name first, so that a reader never sees a part. */
  default void write(Path html, Path csv) throws IOException {
    OutputFile.write(html, page().html());
    OutputFile.write(csv, table());
  }
}
