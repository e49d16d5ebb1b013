// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Shared memory that a process under java alone would leave in /dev/shm, as a C program without mpirun does: Open MPI's btl/sm
 * makes it as MPI begins, and removes it only if it has met another process, or else has mpirun do so.
 */
public final class LoneSegments {
  private static final String NAME = "/dev/shm/sm_segment.";

  private LoneSegments() {}

  /** To be asked before MPI ends, when they are in use; empty in a process that a launcher has started. */
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

  /** To be said when MPI has ended. */
  public static void remove(List<File> segments) {
    // No lambda: each rank comes here, and the first one of a process costs it some milliseconds.
    for (File segment : segments) {
      segment.delete();
    }
  }
}
