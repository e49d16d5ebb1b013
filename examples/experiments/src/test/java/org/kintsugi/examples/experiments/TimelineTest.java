// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.examples.app.Stamps;
import org.kintsugi.examples.experiments.PlannedRun.Fault;
import org.kintsugi.examples.experiments.Timeline.Recovered;

class TimelineTest {
  private static final long SECOND = 1_000_000;

  @TempDir
  private Path folder;

  private static long[] stamp(long rank, long epoch, long iteration, long micros, long savedMicros) {
    return new long[] {rank, 0, epoch, iteration, micros, savedMicros};
  }

  private void process(String name, long[]... stamps) throws IOException {
    ByteBuffer file = ByteBuffer.allocate(Stamps.RECORD * Stamps.ENTRIES).order(ByteOrder.LITTLE_ENDIAN);
    for (long[] stamp : stamps) {
      for (long value : stamp) {
        file.putLong(value);
      }
    }
    Files.write(folder.resolve(name + Stamps.SUFFIX), file.array());
  }

  @Test
  void aRecoveryLastsUntilTheLastRankIsInTheLoop() throws IOException {
    process("survivor", stamp(0, 1, 61, 100 * SECOND, 3 * SECOND), stamp(0, 0, 1, 10 * SECOND, 0),
        stamp(0, 1, 21, 52 * SECOND, 0));
    process("failed", stamp(1, 0, 27, 50 * SECOND, SECOND), stamp(1, 0, 1, 11 * SECOND, 0));
    process("replacement", stamp(1, 1, 61, 101 * SECOND, 2 * SECOND), stamp(1, 1, 21, 53 * SECOND, 0));
    Timeline timeline = new Timeline(folder);
    assertThat(timeline.recovery(new Fault(false, 1, 27, 1), 2)).isEqualTo(new Recovered(3, 6));
    assertThat(timeline.loopSeconds()).isEqualTo(91, within(1e-9));
    assertThat(timeline.savingSeconds(2)).isEqualTo(3, within(1e-9));
    assertThat(timeline.recovery(new Fault(false, 0, 27, 1), 2)).as("nobody has died there").isNull();
  }

  /** Rank 0 is late: that it enters the loop of the failed epoch after the failure is no recovery. */
  @Test
  void aLateRankIsNotARecoveredOne() throws IOException {
    process("late", stamp(0, 1, 3, 90 * SECOND, 0), stamp(0, 0, 1, 51 * SECOND, 0), stamp(0, 1, 1, 60 * SECOND, 0));
    process("failed", stamp(1, 0, 2, 50 * SECOND, 0), stamp(1, 0, 1, 10 * SECOND, 0));
    process("replacement", stamp(1, 1, 3, 90 * SECOND, 0), stamp(1, 1, 1, 55 * SECOND, 0));
    assertThat(new Timeline(folder).recovery(new Fault(false, 1, 2, 1), 2)).isEqualTo(new Recovered(10, 1));
  }

  /** A spare of a run without a failure, which is looked at for what it costs to have it wait. */
  @Test
  void aProcessThatOnlyWaitedWasNotInTheLoop() throws IOException {
    process("71-1", stamp(0, 0, 1, 10 * SECOND, 0), stamp(0, 0, 1, 10 * SECOND, 0));
    process("72-1");
    new Stamps(folder);
    assertThat(Timeline.processes(folder)).containsExactly(71L);
  }

  /** {@link Stamps} writes what {@link Timeline} reads. */
  @Test
  void stampsAreRead() throws IOException {
    Stamps stamps = new Stamps(folder);
    stamps.enter(3, 0, 1);
    stamps.begin(1);
    stamps.saved(500_000_000);
    stamps.begin(2);
    Timeline timeline = new Timeline(folder);
    assertThat(timeline.savingSeconds(1)).isEqualTo(0.5, within(1e-6));
    assertThat(timeline.loopSeconds()).isBetween(0.0, 10.0);
    assertThat(timeline.recovery(new Fault(false, 3, 2, 1), 1)).as("nobody has gone on").isNull();
  }
}
