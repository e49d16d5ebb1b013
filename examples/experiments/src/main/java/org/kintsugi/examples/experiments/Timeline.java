// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.kintsugi.examples.app.Stamps;
import org.kintsugi.examples.experiments.PlannedRun.Fault;

/**
 * What the processes of a job did when, read from their {@link Stamps}. All figures are measured in the ranks, and in the same
 * way for every design.
 */
final class Timeline {
  /** Where a process was at a moment. */
  private record Stamp(int rank, long attempt, long epoch, long iteration, long micros, long savedMicros) {
    /** Whether it is of a later start of the job, or of a later epoch: of a time after a recovery. */
    boolean isLaterThan(Stamp other) {
      return attempt > other.attempt || attempt == other.attempt && epoch > other.epoch;
    }
  }

  /** A process: the iteration that it began last, and when it entered the loop. */
  private record Process(Stamp last, List<Stamp> entries) {}

  /**
   * A recovery.
   *
   * @param seconds from the failure until the last rank is in the loop again
   * @param iterationsAgain how many iterations are made a second time
   */
  record Recovered(double seconds, long iterationsAgain) {}

  private final List<Process> processes = new ArrayList<>();

  Timeline(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(path -> path.toString().endsWith(Stamps.SUFFIX)).toList()) {
        read(file);
      }
    }
  }

  /** The numbers of the processes that were in the loop. (One that only waits has a file of stamps, too, without any.) */
  static Set<Long> processes(Path folder) throws IOException {
    Set<Long> all = new HashSet<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(one -> one.toString().endsWith(Stamps.SUFFIX)).toList()) {
        String name = file.getFileName().toString();
        if (!entries(stamps(file)).isEmpty()) {
          all.add(Long.valueOf(name.substring(0, name.indexOf('-'))));
        }
      }
    }
    return all;
  }

  private void read(Path file) throws IOException {
    List<Stamp> stamps = stamps(file);
    List<Stamp> entries = entries(stamps);
    if (!entries.isEmpty()) {
      processes.add(new Process(stamps.get(0).micros > 0 ? stamps.get(0) : entries.get(0), entries));
    }
  }

  private static List<Stamp> stamps(Path path) throws IOException {
    ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(path)).order(ByteOrder.LITTLE_ENDIAN);
    List<Stamp> stamps = new ArrayList<>();
    for (int at = 0; at + Stamps.RECORD <= file.limit(); at += Stamps.RECORD) {
      stamps.add(new Stamp((int) file.getLong(at), file.getLong(at + Stamps.ATTEMPT), file.getLong(at + Stamps.EPOCH),
          file.getLong(at + Stamps.ITERATION), file.getLong(at + Stamps.MICROS), file.getLong(at + Stamps.SAVED_MICROS)));
    }
    return stamps;
  }

  /** The first stamp is that of the latest iteration; the others are of the times when the loop was entered. */
  private static List<Stamp> entries(List<Stamp> stamps) {
    return stamps.stream().skip(1).filter(stamp -> stamp.micros > 0).toList();
  }

  /** The recovery from an injected failure; null: no process has failed there, or not all ranks have gone on. */
  Recovered recovery(Fault fault, int ranks) {
    Stamp failed = null;
    for (Process process : processes) {
      Stamp last = process.last;
      if (last.rank == fault.rank() && last.iteration == fault.iteration() && (failed == null || last.micros < failed.micros)) {
        failed = last;
      }
    }
    if (failed == null) {
      return null;
    }
    long resumed = 0;
    long first = fault.iteration();
    for (int rank = 0; rank < ranks; rank++) {
      Stamp entry = firstEntryAfter(failed, rank);
      if (entry == null) {
        return null;
      }
      resumed = Math.max(resumed, entry.micros);
      first = Math.min(first, entry.iteration);
    }
    return new Recovered((resumed - failed.micros) / 1e6, fault.iteration() - first);
  }

  /** A rank that was late, and entered the loop of the failed epoch after the failure, has not been recovered by that. */
  private Stamp firstEntryAfter(Stamp failed, int rank) {
    Stamp first = null;
    for (Process process : processes) {
      for (Stamp entry : process.entries) {
        if (entry.rank == rank && entry.isLaterThan(failed) && (first == null || entry.micros < first.micros)) {
          first = entry;
        }
      }
    }
    return first;
  }

  /** From the first rank's first entry into the loop to the last rank's end of it. */
  double loopSeconds() {
    long begin = processes.stream().mapToLong(process -> process.entries.get(0).micros).min().orElse(0);
    long end = processes.stream().mapToLong(process -> process.last.micros).max().orElse(0);
    return (end - begin) / 1e6;
  }

  /** In saves, on the average of the ranks; a replacement's are added to its rank's. */
  double savingSeconds(int ranks) {
    return processes.stream().mapToLong(process -> process.last.savedMicros).sum() / 1e6 / ranks;
  }
}
