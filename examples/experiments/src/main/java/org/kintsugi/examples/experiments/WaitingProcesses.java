// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * What processes cost that wait for a failure: their memory and how often they wake up. A thread reads {@code /proc} while the
 * job runs. That disturbs a job by milliseconds, so it is done in runs without failures only, and for all designs.
 */
final class WaitingProcesses implements AutoCloseable {
  private static final long EVERY_MILLIS = 500;

  /** Of a process: its first and its last reading. */
  private record Reading(long firstNanos, long firstWakeUps, long nanos, long wakeUps, long kibibytes) {}

  private final Process launcher;
  private final String main;
  private final Map<Long, Reading> readings = new HashMap<>(); // guarded by this
  private final Thread reader = new Thread(this::read, "waiting-processes");

  /**
   * @param launcher whose descendants are the job's processes on this host
   * @param main the main class, by which its JVMs are known
   */
  WaitingProcesses(Process launcher, String main) {
    this.launcher = launcher;
    this.main = main;
    reader.setDaemon(true);
    reader.start();
  }

  private void read() {
    try {
      while (launcher.isAlive()) {
        TimeUnit.MILLISECONDS.sleep(EVERY_MILLIS);
        for (ProcessHandle process : launcher.descendants().toList()) {
          read(process.pid());
        }
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  private void read(long pid) {
    Path proc = Path.of("/proc", String.valueOf(pid));
    try {
      List<String> words = List.of(Files.readString(proc.resolve("cmdline"), StandardCharsets.ISO_8859_1).split("\0"));
      // A rank's memory holder has the rank's command line, and a name of its own.
      if (!words.contains(main) || !Files.readString(proc.resolve("comm")).strip().equals("java")) {
        return;
      }
      long wakeUps = 0;
      try (Stream<Path> threads = Files.list(proc.resolve("task"))) {
        for (Path thread : threads.toList()) {
          wakeUps += number(thread.resolve("status"), "voluntary_ctxt_switches:");
        }
      }
      long kibibytes = number(proc.resolve("smaps_rollup"), "Pss:"); // a page that n processes share counts one n-th
      long now = System.nanoTime();
      long sum = wakeUps;
      synchronized (this) {
        readings.merge(pid, new Reading(now, sum, now, sum, kibibytes),
            (first, next) -> new Reading(first.firstNanos, first.firstWakeUps, now, sum, kibibytes));
      }
    } catch (IOException ended) {
      // the process, or one of its threads: its last reading counts
    }
  }

  private static long number(Path file, String name) throws IOException {
    for (String line : Files.readAllLines(file)) {
      if (line.startsWith(name)) {
        return Long.parseLong(line.replaceAll("\\D", ""));
      }
    }
    throw new IOException(file + " has no " + name);
  }

  /**
   * Adds the processes that were no ranks to the result of a run: how many, and each one's memory and wake-ups, on the average.
   *
   * @param ranks the processes that were in the loop
   */
  synchronized void addTo(ObjectNode result, Set<Long> ranks) {
    List<Reading> waiting = readings.entrySet().stream().filter(one -> !ranks.contains(one.getKey())).map(Map.Entry::getValue)
        .filter(one -> one.nanos > one.firstNanos).toList();
    if (waiting.isEmpty()) {
      return;
    }
    result.putObject("waiting").put("processes", waiting.size())
        .put("mebibytes", waiting.stream().mapToLong(Reading::kibibytes).average().orElseThrow() / 1024)
        .put("wakeUpsPerSecond",
            waiting.stream().mapToDouble(one -> (one.wakeUps - one.firstWakeUps) * 1e9 / (one.nanos - one.firstNanos)).average()
                .orElseThrow());
  }

  @Override
  public void close() {
    reader.interrupt(); // what it reads meanwhile comes too late to be counted
  }
}
