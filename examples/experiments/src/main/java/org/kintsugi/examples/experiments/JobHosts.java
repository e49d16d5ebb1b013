// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.kintsugi.runtime.Flavour;

/** The hosts on which one job runs. */
interface JobHosts extends AutoCloseable {
  /** This host, and those that the batch system or the user's options of {@code jmpirun} name. */
  JobHosts GIVEN = new JobHosts() {
    @Override
    public List<String> options(Flavour flavour) {
      return List.of();
    }

    @Override
    public Process start(List<String> command, Path output, long limitSeconds) throws IOException {
      return new ProcessBuilder(command).redirectInput(new File("/dev/null")).redirectErrorStream(true)
          .redirectOutput(output.toFile()).start();
    }

    @Override
    public void close() {
      // they stay
    }
  };

  /** The options of {@code jmpirun} that select them. */
  List<String> options(Flavour flavour);

  /** @param limitSeconds after which the caller ends it; it may end before */
  Process start(List<String> command, Path output, long limitSeconds) throws IOException;

  @Override
  void close();
}
