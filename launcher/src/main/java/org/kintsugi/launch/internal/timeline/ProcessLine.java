// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.timeline;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.kintsugi.launch.internal.timeline.ProcessRecord.EpochMark;
import org.kintsugi.launch.internal.timeline.ProcessRecord.PhaseMark;
import org.kintsugi.launch.internal.timeline.ProcessRecord.Piece;
import org.kintsugi.launch.internal.timeline.ProcessRecord.Span;
import org.kintsugi.launch.internal.timeline.ProcessRecord.Step;
import org.kintsugi.runtime.internal.protocol.RankPlace.Phase;

/**
 * The line of one process: its name and its bars. A later bar is drawn over an earlier one.
 *
 * @param name what the process was in the job
 * @param place the process id and host
 * @param bars in the order in which they are drawn
 */
record ProcessLine(String name, String place, List<Bar> bars) {
  /** More bars for iterations do not show, and make the page large. */
  private static final int MOST_PIECES = 1500;

  /** The longest calls of a process; more do not show. */
  private static final int MOST_CALLS = 500;

  private static final double MICROS_PER_MILLI = 1e3;

  static ProcessLine of(ProcessRecord process, RecordedJob job) {
    List<Bar> bars = new ArrayList<>();
    addPhases(process, job, bars);
    addPieces(process, bars);
    process.calls.stream().sorted(Comparator.comparingLong((Span call) -> call.begin() - call.end())).limit(MOST_CALLS)
        .forEach(call -> bars.add(new Bar(BarKind.CALL, call.begin(), call.end(), 0.15, timed(call.name(), call), "")));
    addInBody(process, process.saves, BarKind.SAVES, bars);
    addInBody(process, process.restores, BarKind.RESTORES, bars);
    addRecoveries(process, bars);
    process.pauses.forEach(pause -> bars.add(new Bar(BarKind.PAUSE, pause.begin(), pause.end(), 0.25,
        timed("garbage collection " + pause.detail(), pause), "")));
    addLoss(process, job, bars);
    bars.removeIf(bar -> bar.micros() < 0);
    return new ProcessLine(name(process, job), process.name(), bars);
  }

  /** What it was: its ranks, one after the other. */
  private static String name(ProcessRecord process, RecordedJob job) {
    List<String> roles = new ArrayList<>();
    for (EpochMark mark : process.epochs) {
      String role = mark.rank() < 0 ? "spare" : "rank " + mark.rank();
      if (roles.isEmpty() || !roles.get(roles.size() - 1).equals(role)) {
        roles.add(role);
      }
    }
    if (roles.isEmpty()) {
      roles.add(process.started > 0 ? "new spare" : "process " + process.launchRank);
    } else if (process.epochs.get(0).epoch() > 0) {
      roles.add(0, "new process");
    }
    return String.join(", then ", roles)
        + (job.lossOf(process) == null ? job.isUnneeded(process) ? ", not needed" : "" : ", fails");
  }

  private static void addPhases(ProcessRecord process, RecordedJob job, List<Bar> bars) {
    for (int i = 0; i < process.phases.size(); i++) {
      PhaseMark mark = process.phases.get(i);
      long end = i + 1 < process.phases.size() ? process.phases.get(i + 1).at() : job.knownUntil(process);
      BarKind kind = kind(mark.phase());
      if (kind != null) {
        bars.add(new Bar(kind, mark.at(), end, text(mark) + ", " + millis(end - mark.at()), label(mark)));
      }
    }
  }

  /** Null: the process is not in the job any more. */
  private static BarKind kind(Phase phase) {
    return switch (phase) {
      case BODY -> BarKind.COMPUTES;
      case SPARE -> BarKind.SPARE;
      case LEFT_BODY -> BarKind.DONE;
      case STARTS, PROGRAM, RECOVERS, LEAVES -> BarKind.STARTS;
      case LEFT -> null;
    };
  }

  private static String text(PhaseMark mark) {
    return switch (mark.phase()) {
      case BODY -> "in the body, as rank " + mark.rank();
      case SPARE -> "waits as a spare";
      case LEFT_BODY -> "its body has ended, and it waits for the others";
      case STARTS -> "starts: MPI_Init";
      case PROGRAM -> "in the program, outside of the run";
      case RECOVERS -> "between two epochs, or before the first";
      case LEAVES -> "closes MPI";
      case LEFT -> "has closed MPI";
    };
  }

  private static String label(PhaseMark mark) {
    return switch (mark.phase()) {
      case SPARE -> "spare";
      case STARTS -> "starts";
      case RECOVERS -> "begins";
      default -> "";
    };
  }

  private static void addPieces(ProcessRecord process, List<Bar> bars) {
    int together = 1 + process.pieces.size() / MOST_PIECES;
    for (int i = 0; i < process.pieces.size(); i += together) {
      Piece first = process.pieces.get(i);
      Piece last = process.pieces.get(Math.min(i + together, process.pieces.size()) - 1);
      long inMpi =
          process.pieces.subList(i, Math.min(i + together, process.pieces.size())).stream().mapToLong(Piece::inMpi).sum();
      Piece all = new Piece(first.begin(), last.end(), first.first(), last.last(), inMpi);
      String which = all.first() == all.last() ? "iteration " + all.first() : "iterations " + all.first() + " to " + all.last();
      bars.add(new Bar(BarKind.WAITS, all.begin(), all.end(), all.share(), which + ", " + millis(all.end() - all.begin()) + ", "
          + Math.round(100 * all.share()) + " % of it in MPI", ""));
    }
  }

  /** The rehearsal before a run saves and restores as well, and is not the program's. */
  private static void addInBody(ProcessRecord process, List<Span> spans, BarKind kind, List<Bar> bars) {
    for (Span span : spans) {
      if (phaseAt(process, span.begin()) == Phase.BODY) {
        bars.add(new Bar(kind, span.begin(), span.end(), timed(span.name(), span) + (span.detail().isEmpty() ? ""
            : ", " + span.detail()), ""));
      }
    }
  }

  static Phase phaseAt(ProcessRecord process, long at) {
    Phase phase = null;
    for (PhaseMark mark : process.phases) {
      if (mark.at() <= at) {
        phase = mark.phase();
      }
    }
    return phase;
  }

  private static void addRecoveries(ProcessRecord process, List<Bar> bars) {
    for (EpochMark mark : process.epochs) {
      List<Step> steps = stepsTo(process, mark);
      if (mark.epoch() == 0 || steps.isEmpty()) {
        continue;
      }
      long began = recoveryBegan(process, mark, steps);
      bars.add(new Bar(BarKind.RECOVERS, began, mark.at(), "recovers: to epoch " + mark.epoch() + ", "
          + millis(mark.at() - began), ""));
      for (Step step : steps) {
        bars.add(new Bar(BarKind.STEP, step.begin(), step.end(),
            step.name() + ", " + millis(step.end() - step.begin()), step.name()));
      }
    }
  }

  /** The steps of the recovery that led a process to an epoch. */
  static List<Step> stepsTo(ProcessRecord process, EpochMark mark) {
    long from = process.epochs.stream().mapToLong(EpochMark::at).filter(at -> at < mark.at()).max().orElse(Long.MIN_VALUE);
    return process.steps.stream().filter(step -> step.begin() >= from && step.end() <= mark.at()).toList();
  }

  /** When the process detected the failure; a spare does when its first step begins. */
  private static long recoveryBegan(ProcessRecord process, EpochMark mark, List<Step> steps) {
    long from = process.epochs.stream().mapToLong(EpochMark::at).filter(at -> at < mark.at()).max().orElse(Long.MIN_VALUE);
    long first = steps.get(0).begin();
    return process.failures.stream().mapToLong(ProcessRecord.FailureMark::at).filter(at -> at >= from && at < first).min()
        .orElse(first);
  }

  private static void addLoss(ProcessRecord process, RecordedJob job, List<Bar> bars) {
    RecordedJob.Loss loss = job.lossOf(process);
    if (loss == null) {
      return;
    }
    long known = job.knownUntil(process);
    if (loss.at() > known) {
      bars.add(new Bar(BarKind.LOST, known, loss.at(), "the process had not flushed its last " + millis(loss.at() - known)
          + " when it failed", "not recorded"));
    }
    String who = loss.rank() < 0 ? "the spare" : "rank " + loss.rank();
    EpochMark next = loss.replacement() == null ? null : RecordedJob.markOf(loss.replacement(), loss.epoch() + 1);
    if (next != null && next.at() > loss.at()) {
      bars.add(new Bar(BarKind.FAILED, loss.at(), next.at(), who + " has failed and is being replaced by "
          + loss.replacement().name() + ", " + millis(next.at() - loss.at()), ""));
    }
  }

  private static String timed(String what, Span span) {
    return what + ", " + millis(span.end() - span.begin());
  }

  /** A duration, in the unit that suits it. */
  static String millis(long micros) {
    double millis = micros / MICROS_PER_MILLI;
    return millis >= 10_000 ? String.format("%.1f s", millis / 1000) : String.format(millis < 10 ? "%.2f ms" : "%.0f ms", millis);
  }
}
