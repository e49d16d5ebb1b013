// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.timeline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.kintsugi.runtime.internal.protocol.RankPlace.Phase;

/**
 * What one process has recorded, in the order of time.
 *
 * <p>Times are microseconds since 1970 by the process's own clock, until {@link #move} brings them to the job's.
 */
final class ProcessRecord {
  /** The phase began at a time, under a rank. */
  record PhaseMark(long at, Phase phase, int rank) {}

  /** Something that took time. */
  record Span(long begin, long end, String name, String detail) {}

  /** A step of a recovery; {@code together} is the epoch that all processes agreed on in it, or negative. */
  record Step(long begin, long end, String name, int together) {}

  /** An epoch began in this process; the rank of a spare is negative. */
  record EpochMark(long at, int epoch, int rank, int size, String state, List<Integer> failed) {}

  /** Iterations, and how long the process was in MPI meanwhile. */
  record Piece(long begin, long end, long first, long last, long inMpi) {
    /** The share of the time in MPI, from 0 to 1. */
    double share() {
      return end <= begin ? 0 : Math.min(1, Math.max(0, (double) inMpi / (end - begin)));
    }
  }

  /** The process has detected a failure. */
  record FailureMark(long at, String message) {}

  final String host;
  final long processId;
  final int launchRank;
  /** A number from 1 on if it was started while the job ran, in place of a failed process. */
  final long started;
  final List<PhaseMark> phases = new ArrayList<>();
  final List<Step> steps = new ArrayList<>();
  final List<EpochMark> epochs = new ArrayList<>();
  final List<Piece> pieces = new ArrayList<>();
  final List<FailureMark> failures = new ArrayList<>();
  final List<Span> saves = new ArrayList<>();
  final List<Span> restores = new ArrayList<>();
  final List<Span> calls = new ArrayList<>();
  final List<Span> pauses = new ArrayList<>();
  /** The time of its first and its last event. */
  long first = Long.MAX_VALUE;
  long last = Long.MIN_VALUE;

  ProcessRecord(String host, long processId, int launchRank, long started) {
    this.host = host;
    this.processId = processId;
    this.launchRank = launchRank;
    this.started = started;
  }

  /** Notes that something was recorded at this time. */
  void saw(long begin, long end) {
    first = Math.min(first, begin);
    last = Math.max(last, end);
  }

  /** Whether it has closed MPI, so that its end is no failure. */
  boolean hasLeft() {
    return phases.stream().anyMatch(mark -> mark.phase() == Phase.LEFT);
  }

  String name() {
    return "process " + processId + " on " + host;
  }

  /** The ranks of failed processes, as an event has them: with commas between. */
  static List<Integer> ranks(String text) {
    return text == null || text.isEmpty() ? List.of() : Arrays.stream(text.split(",")).map(Integer::valueOf).toList();
  }

  /** Adds to all times. */
  void move(long by) {
    if (by == 0) {
      return;
    }
    phases.replaceAll(one -> new PhaseMark(one.at + by, one.phase, one.rank));
    steps.replaceAll(one -> new Step(one.begin + by, one.end + by, one.name, one.together));
    epochs.replaceAll(one -> new EpochMark(one.at + by, one.epoch, one.rank, one.size, one.state, one.failed));
    pieces.replaceAll(one -> new Piece(one.begin + by, one.end + by, one.first, one.last, one.inMpi));
    failures.replaceAll(one -> new FailureMark(one.at + by, one.message));
    for (List<Span> spans : List.of(saves, restores, calls, pauses)) {
      spans.replaceAll(one -> new Span(one.begin + by, one.end + by, one.name, one.detail));
    }
    first += by;
    last += by;
  }
}
