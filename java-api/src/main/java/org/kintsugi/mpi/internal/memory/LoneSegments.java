// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.memory;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Shared memory that a process without mpirun would leave in /dev/shm. Open MPI's btl/sm makes it
 * in MPI_Init, and removes it only if it has connected to another process; otherwise mpirun removes
 * it. A C program without mpirun leaves it, too.
 */
public final class LoneSegments {
  private static final String NAME = "/dev/shm/sm_segment.";

  private LoneSegments() {}

  /**
   * The segments in use; must be called before MPI ends. Empty in a process that a launcher has
   * started.
   */
  public static List<File> ofThisProcess() {
    if (System.getenv("PMIX_NAMESPACE") != null) {
      return List.of();
    }
    try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
      return maps.filter(line -> line.contains(NAME)).map(line -> new File(line.substring(line.indexOf(NAME)))).distinct()
          .toList();
    } catch (IOException | UncheckedIOException unknown) {
      return List.of();
    }
  }

  /** Removes them; must be called after MPI has ended. */
  public static void remove(List<File> segments) {
    for (File segment : segments) {
      segment.delete();
    }
  }
}
