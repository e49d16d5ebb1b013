// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.timeline;

import java.util.Arrays;
import java.util.List;
import org.kintsugi.launch.internal.timeline.ProcessRecord.EpochMark;
import org.kintsugi.launch.internal.timeline.ProcessRecord.FailureMark;
import org.kintsugi.launch.internal.timeline.ProcessRecord.PhaseMark;
import org.kintsugi.launch.internal.timeline.ProcessRecord.Piece;
import org.kintsugi.launch.internal.timeline.ProcessRecord.Span;
import org.kintsugi.launch.internal.timeline.ProcessRecord.Step;
import org.kintsugi.runtime.internal.protocol.RankPlace.Phase;

/** Makes records of processes, in milliseconds of their own clocks. */
final class Records {
  private static final long MILLI = 1000;

  private final ProcessRecord record;

  private Records(ProcessRecord record) {
    this.record = record;
  }

  static Records of(String host, long processId, int launchRank) {
    return new Records(new ProcessRecord(host, processId, launchRank, 0));
  }

  static Records startedLater(String host, long processId) {
    return new Records(new ProcessRecord(host, processId, 0, 1));
  }

  Records phase(long at, Phase phase, int rank) {
    record.phases.add(new PhaseMark(at * MILLI, phase, rank));
    record.saw(at * MILLI, at * MILLI);
    return this;
  }

  Records step(long begin, long end, String name, int together) {
    record.steps.add(new Step(begin * MILLI, end * MILLI, name, together));
    record.saw(begin * MILLI, end * MILLI);
    return this;
  }

  Records epoch(long at, int epoch, int rank, Integer... failed) {
    record.epochs.add(new EpochMark(at * MILLI, epoch, rank, 2, rank < 0 ? "SPARE" : "NEW", List.copyOf(Arrays.asList(failed))));
    record.saw(at * MILLI, at * MILLI);
    return this;
  }

  Records failure(long at) {
    record.failures.add(new FailureMark(at * MILLI, "a process has failed"));
    record.saw(at * MILLI, at * MILLI);
    return this;
  }

  Records piece(long begin, long end, long first, long last, long inMpi) {
    record.pieces.add(new Piece(begin * MILLI, end * MILLI, first, last, inMpi * MILLI));
    record.saw(begin * MILLI, end * MILLI);
    return this;
  }

  Records save(long begin, long end, long version) {
    record.saves.add(new Span(begin * MILLI, end * MILLI, "saves version " + version, "level memory, 8 bytes"));
    record.saw(begin * MILLI, end * MILLI);
    return this;
  }

  ProcessRecord record() {
    return record;
  }
}
