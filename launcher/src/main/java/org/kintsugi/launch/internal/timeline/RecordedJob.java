// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.timeline;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.kintsugi.launch.internal.recording.JobLog;
import org.kintsugi.launch.internal.timeline.CommonClock.Correction;
import org.kintsugi.launch.internal.timeline.ProcessRecord.EpochMark;

/**
 * A job as its recording shows it: who failed when, who replaced them, and how long each recovery took. It is made from the
 * records of the processes, brought to one clock, and from jmpirun's log.
 */
final class RecordedJob {
  /**
   * The failure of a process.
   *
   * @param process that has failed
   * @param at the time: when another process detected it or jmpirun noticed it, whichever was first, but not before the last
   *     sign of the process; that sign if nobody did
   * @param rank in its last epoch; negative: it was a spare
   * @param epoch its last one; negative: it had not begun any
   * @param replacement the process that has got its rank; null: none, or not known
   */
  record Loss(ProcessRecord process, long at, int rank, int epoch, ProcessRecord replacement) {}

  /**
   * A recovery.
   *
   * @param epoch that began with it
   * @param began when the first process failed, or detected that
   * @param ended when the last process had entered the epoch
   * @param failed ranks of the epoch before
   */
  record Recovered(int epoch, long began, long ended, List<Integer> failed) {}

  /** The JVM writes events to its files at this interval. */
  private static final long FLUSHED_MICROS = 1_000_000;

  private final List<ProcessRecord> processes;
  private final List<JobLog.Line> log;
  private final Map<ProcessRecord, Correction> corrections;
  private final List<Loss> losses = new ArrayList<>();
  private final List<Recovered> recoveries = new ArrayList<>();

  /** A job with these records, whose times are those of each process's own clock. */
  RecordedJob(List<ProcessRecord> records, List<JobLog.Line> log) {
    this.log = log;
    processes = new ArrayList<>(records);
    corrections = CommonClock.applyTo(processes);
    processes.sort(Comparator.comparingInt(RecordedJob::firstEpoch).thenComparingInt(RecordedJob::firstRank)
        .thenComparingLong(one -> one.first));
    findLosses();
    findRecoveries();
  }

  private static int firstEpoch(ProcessRecord process) {
    return process.epochs.isEmpty() ? Integer.MAX_VALUE : process.epochs.get(0).epoch();
  }

  /** Its rank in its first epoch, before spares. */
  private static int firstRank(ProcessRecord process) {
    int rank = process.epochs.isEmpty() ? -1 : process.epochs.get(0).rank();
    return rank < 0 ? Integer.MAX_VALUE : rank;
  }

  /** The job that was recorded into a folder. */
  static RecordedJob read(Path folder) throws IOException {
    return new RecordedJob(RecordingReader.read(folder), JobLog.read(folder));
  }

  List<ProcessRecord> processes() {
    return processes;
  }

  Map<ProcessRecord, Correction> corrections() {
    return corrections;
  }

  List<Loss> losses() {
    return losses;
  }

  List<Recovered> recoveries() {
    return recoveries;
  }

  long begin() {
    return processes.stream().mapToLong(one -> one.first).min().orElseThrow();
  }

  long end() {
    return Math.max(processes.stream().mapToLong(this::knownUntil).max().orElseThrow(),
        losses.stream().mapToLong(Loss::at).max().orElse(Long.MIN_VALUE));
  }

  /** The text of the first line of a kind; null: there is none. */
  String logged(JobLog.Kind kind) {
    return log.stream().filter(line -> line.kind() == kind).map(JobLog.Line::text).findFirst().orElse(null);
  }

  Loss lossOf(ProcessRecord process) {
    return losses.stream().filter(loss -> loss.process() == process).findFirst().orElse(null);
  }

  private void findLosses() {
    for (ProcessRecord process : processes) {
      EpochMark mark = process.epochs.isEmpty() ? null : process.epochs.get(process.epochs.size() - 1);
      EpochMark next = mark == null ? null : firstOf(mark.epoch() + 1);
      Long logged = lostAt(process);
      boolean isNamed = next != null && mark.rank() >= 0 && next.failed().contains(mark.rank());
      if (!process.hasLeft() && !isUnneeded(process) && (isNamed || logged != null)) {
        int rank = mark == null ? -1 : mark.rank();
        long at = logged == null ? process.last : logged;
        if (next != null) {
          at = Math.min(at, detectedAt(mark.epoch(), next));
        }
        losses.add(new Loss(process, Math.max(at, process.last), rank, mark == null ? -1 : mark.epoch(),
            isNamed ? replacement(next.epoch(), rank) : null));
      }
    }
    losses.sort(Comparator.comparingLong(Loss::at));
  }

  /** Whether it was started while the job ran and never got into an epoch. Such a process ends itself at the end of the job. */
  boolean isUnneeded(ProcessRecord process) {
    return process.started > 0 && process.epochs.isEmpty();
  }

  /**
   * The time until which it is known what the process did. What it has recorded in the last second before its end may be lost;
   * a process that had nothing to record before that was still in its last phase.
   */
  long knownUntil(ProcessRecord process) {
    Long lost = process.hasLeft() ? null : lostAt(process);
    Loss loss = lossOf(process);
    long end = loss != null ? loss.at() : lost != null ? lost : process.last;
    return Math.max(process.last, end - FLUSHED_MICROS);
  }

  private Long lostAt(ProcessRecord process) {
    String text = process.processId + " " + process.host;
    return log.stream().filter(line -> line.kind() == JobLog.Kind.LOST && line.text().equals(text)).map(JobLog.Line::micros)
        .findFirst().orElse(null);
  }

  /** The earliest mark of an epoch; null if no process has begun it. */
  private EpochMark firstOf(int epoch) {
    return marks(epoch).stream().min(Comparator.comparingLong(EpochMark::at)).orElse(null);
  }

  private List<EpochMark> marks(int epoch) {
    return processes.stream().map(one -> markOf(one, epoch)).filter(Objects::nonNull).toList();
  }

  static EpochMark markOf(ProcessRecord process, int epoch) {
    return process.epochs.stream().filter(mark -> mark.epoch() == epoch).findFirst().orElse(null);
  }

  private ProcessRecord replacement(int epoch, int rank) {
    for (ProcessRecord process : processes) {
      EpochMark mark = markOf(process, epoch);
      if (mark != null && mark.rank() == rank) {
        return process;
      }
    }
    return null;
  }

  /** When the first process detected the failure that ended an epoch. */
  private long detectedAt(int epoch, EpochMark next) {
    long from = marks(epoch).stream().mapToLong(EpochMark::at).max().orElse(Long.MIN_VALUE);
    return processes.stream().flatMap(one -> one.failures.stream()).mapToLong(ProcessRecord.FailureMark::at)
        .filter(at -> at >= from && at < next.at()).min().orElse(next.at());
  }

  private void findRecoveries() {
    Map<Integer, List<EpochMark>> byEpoch = new TreeMap<>();
    for (ProcessRecord process : processes) {
      process.epochs.forEach(mark -> byEpoch.computeIfAbsent(mark.epoch(), epoch -> new ArrayList<>()).add(mark));
    }
    byEpoch.forEach((epoch, marks) -> {
      if (epoch > 0) {
        EpochMark first = marks.stream().min(Comparator.comparingLong(EpochMark::at)).orElseThrow();
        long detected = detectedAt(epoch - 1, first);
        long began = losses.stream().filter(loss -> loss.epoch() == epoch - 1 && loss.at() < first.at()).mapToLong(Loss::at).min()
            .orElse(detected);
        long ended = marks.stream().mapToLong(EpochMark::at).max().orElseThrow();
        recoveries.add(new Recovered(epoch, Math.min(began, detected), ended, first.failed()));
      }
    });
  }
}
