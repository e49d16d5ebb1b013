// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments;

import java.io.IOException;
import java.nio.file.Path;

/** A kind of experiment, found by {@link java.util.ServiceLoader}: a new one is a class and its line in META-INF/services. */
public interface StudyKind {
  /** As {@code "kind"} in the files of such experiments. */
  String name();

  /**
   * Reads the description of an experiment.
   *
   * @param twins the library of C twins; null: there is none, as in an installation
   * @throws ExperimentException if there are mistakes in it
   */
  Study read(Path file, Path twins) throws IOException;
}
